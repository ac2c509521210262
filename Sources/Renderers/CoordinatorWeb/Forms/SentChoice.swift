import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// The choice made on a page, such as a row or a button, together with the fingerprint that it depends on.
struct SentChoice: Sendable, Hashable {
  /// The control that was pressed.
  enum Button: Sendable, Hashable {
    /// A row of a list.
    case item(String)
    /// The button that sends the checked rows of a list.
    case items
    /// An action.
    case event(String)
    /// The button that changes an answer under review, which was given on this screen.
    case change(UInt64)
  }

  /// The first part of a control's name. The fingerprint follows after a dot.
  private enum Name: String, CaseIterable {
    case items, item, change, confirmed, event

    /// The box of a row, which is not a button.
    static let box = "box"
  }

  /// A name that was sent with a fingerprint, and its value.
  private struct Sent: Sendable, Hashable {
    let id: String
    let basis: String
  }

  let button: Button
  /// Whether the user has confirmed the action.
  let isConfirmed: Bool
  /// The fingerprint from ``AnswerBasis``; empty if none was sent.
  let basis: String
  /// The checked rows: those of the page and, after ``including(_:)``, those that were not on it.
  private(set) var checked: CheckedRows
  /// The ids of the rows that had a box on the page; nil if the page contained all rows of the list.
  private let offered: [String]?

  /// Reads the choice from a submitted form.
  init(_ body: FormBody) {
    func split(_ pair: FormBody.Pair, at name: String) -> Sent? {
      if pair.name == name { return Sent(id: pair.value, basis: "") }
      return pair.name.bytes.dropping(prefix: name + ".").map { Sent(id: pair.value, basis: String($0)) }
    }
    func find(_ name: Name) -> (name: Name, sent: Sent)? {
      body.pairs.lazy.compactMap { split($0, at: name.rawValue) }.first.map { (name, $0) }
    }
    let found = Name.allCases.lazy.compactMap(find).first
    checked = CheckedRows(body.pairs.compactMap { split($0, at: Name.box) }.map { ($0.id, $0.basis) })
    offered = body[Self.offeredName].map(Self.ids)
    basis = found?.sent.basis ?? ""
    isConfirmed = found?.name == .confirmed
    let value = found?.sent.id ?? ""
    button =
      switch found?.name {
      case .items: .items
      case .item: .item(value)
      case .change: .change(UInt64(value) ?? 0)
      case .event, .confirmed, nil: .event(value)
      }
  }

  /// Creates an unconfirmed press of an action's button.
  ///
  /// - Parameters:
  ///   - event: id of the action.
  ///   - basis: fingerprint that the press depends on.
  init(event: String, basis: String) {
    (button, isConfirmed, self.basis, checked, offered) = (.event(event), false, basis, CheckedRows(), nil)
  }

  /// Returns the choice together with the rows that were checked before and had no box on the page.
  func including(_ earlier: CheckedRows) -> SentChoice {
    guard let offered else { return self }
    var choice = self
    choice.checked = earlier.replacing(offered, with: checked)
    return choice
  }

  /// Whether rows without a box on the page may be chosen.
  var isOfPart: Bool { offered != nil }

  /// Whether the button is in a separate form, without the fields and rows of the screen.
  var isAlone: Bool { if case .change = button { true } else { false } }

  /// Returns whether the choice has the same meaning on the screen as on the page.
  func holds(on screen: Screen) -> Bool {
    guard !basis.isEmpty else { return false }
    let current = AnswerBasis(of: screen)
    switch button {
    case .item(let id): return screen.items?.first { $0.id.bytes.equals(id) }.map { current.digits(for: $0) == basis } ?? false
    case .items:
      guard let choosing = screen.choosing, current.digits(for: choosing) == basis else { return false }
      return checked.holds(on: screen)
    case .event(let id): return screen.actions.first { $0.id.bytes.equals(id) }.map { current.digits(for: $0) == basis } ?? false
    case .change(let id):
      return screen.review.contains { $0.screen == ScreenID(id) && current.digits(for: $0) == basis }
    }
  }

  /// Returns the action that must be confirmed before it is sent; nil if there is none.
  func unconfirmedAction(of screen: Screen) -> Action? {
    guard case .event(let id) = button, !isConfirmed else { return nil }
    return screen.actions.first { $0.id.bytes.equals(id) && $0.confirmation != nil && $0.disabled == nil }
  }

  /// Returns the event's name and its payload.
  func event(of screen: Screen, _ answer: FormAnswer) -> (name: String, payload: [String: JSONValue]) {
    switch button {
    case .item(let id): return (Event.select, ["id": .string(id)])
    case .items: return (Event.select, ["ids": .array(checked.ids(in: screen.items ?? []).map { .string($0) })])
    case .change(let id): return (ReviewRow.change, ["id": .integer(Int64(clamping: id))])
    case .event(let id):
      let isSubmission = screen.actions.contains { $0.id.bytes.equals(id) && $0.role == .primary }
      return (id, isSubmission ? answer.payload : [:])
    }
  }
}

/// The names of the controls.
extension SentChoice {
  /// The name of the control with the rows that have a box, on a page with a part of the list.
  static let offeredName = "offered"

  /// Returns the value of the control with the rows that have a box.
  static func offering(_ ids: [String]) -> String { ids.map(PercentEncoding.encode).joined(separator: ",") }

  private static func ids(_ text: String) -> [String] {
    text.bytes.split(separator: ",").compactMap { PercentEncoding.decode($0.utf8).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Returns the name of a row's button.
  static func name(of item: Item, on basis: AnswerBasis) -> String { name(.item, basis.digits(for: item)) }

  /// Returns the name of a row's box.
  static func boxName(of item: Item, on basis: AnswerBasis) -> String { "\(Name.box).\(basis.digits(for: item))" }

  /// Returns the name of the button that sends the checked rows.
  static func name(of choosing: Choosing, on basis: AnswerBasis) -> String { name(.items, basis.digits(for: choosing)) }

  /// Returns the name of the button that changes an answer under review.
  static func name(of row: ReviewRow, on basis: AnswerBasis) -> String { name(.change, basis.digits(for: row)) }

  /// Returns the name of an action's button.
  ///
  /// - Parameters:
  ///   - action: action that the button sends.
  ///   - basis: fingerprints of the screen.
  ///   - isConfirmed: whether the button is the answer to the action's question.
  /// - Returns: the name.
  static func name(of action: Action, on basis: AnswerBasis, isConfirmed: Bool = false) -> String {
    name(isConfirmed ? .confirmed : .event, basis.digits(for: action))
  }

  private static func name(_ name: Name, _ digits: String) -> String { "\(name.rawValue).\(digits)" }
}

/// The checked rows of a list of which several are chosen, each with the fingerprint of its state when it was checked.
///
/// They are kept with the browser's session, because a page shows only a part of a long list.
public struct CheckedRows: Sendable, Hashable {
  /// The fingerprints, by the id of the row.
  private var bases: [TextBytes: String] = [:]

  /// Creates rows from their ids and fingerprints.
  init(_ rows: some Sequence<(id: String, basis: String)> = []) {
    for row in rows { bases[row.id.bytes] = row.basis }
  }

  /// Creates rows from their current state on a screen. Rows that do not exist, or cannot be chosen, are omitted.
  ///
  /// - Parameters:
  ///   - ids: ids of the rows.
  ///   - screen: list with the rows.
  init(_ ids: some Sequence<String>, on screen: Screen) {
    let wanted = Set(ids.map(\.bytes))
    guard !wanted.isEmpty else { return }
    let basis = AnswerBasis(of: screen)
    for item in screen.items ?? [] where wanted.contains(item.id.bytes) && item.disabled == nil {
      bases[item.id.bytes] = basis.digits(for: item)
    }
  }

  /// The ids of the rows, sorted.
  var ids: [String] { bases.keys.map { String($0.text) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// Returns whether a row is checked.
  func contains(_ id: String) -> Bool { bases[id.bytes] != nil }

  /// The number of the rows.
  var count: Int { bases.count }

  /// Returns the ids in the order of a list. Ids that are not in it come last, sorted, so that the daemon names them.
  func ids(in items: [Item]) -> [String] {
    let known = items.map(\.id).filter(contains)
    let there = Set(known.map(\.bytes))
    return known + ids.filter { !there.contains($0.bytes) }
  }

  /// Returns these rows with new decisions for some of them: of the ids, those in `checked` are checked, and the others are
  /// not.
  func replacing(_ ids: [String], with checked: CheckedRows) -> CheckedRows {
    var rows = self
    for id in ids { rows.bases[id.bytes] = nil }
    rows.bases.merge(checked.bases) { $1 }
    return rows
  }

  /// Returns whether all rows on the screen are unchanged since they were checked.
  func holds(on screen: Screen) -> Bool {
    let current = CheckedRows(ids, on: screen)
    return current == self
  }
}

/// Fingerprints of the parts of a screen that its possible answers depend on. Each button carries one.
///
/// A screen may be updated between a page and its answer: rows appear and disappear, a count increases. The answer still has
/// the same meaning if the row or the button is the same and the form has the same fields, and, unless the screen is a list, if
/// the title, the text, the picture and the answers under review are the same. If every update invalidated the page, a user
/// without JavaScript could never answer a screen that is updated faster than people click.
struct AnswerBasis: Sendable {
  private var common: Hasher

  /// Creates the fingerprints for a screen.
  init(of screen: Screen) {
    var hasher = Hasher()
    hasher.combine(screen.kind)
    hasher.combine(screen.form)
    if screen.kind != .list {
      hasher.combine(screen.title)
      hasher.combine(screen.body)
      hasher.combine(screen.picture)
      hasher.combine(screen.review)
    }
    if screen.kind == .menu { hasher.combine(screen.actions) }
    common = hasher
  }

  /// Returns the fingerprint for choosing a row. Valid for the lifetime of this process, like sessions.
  func digits(for item: Item) -> String {
    // Ids that only look alike identify different rows.
    var basis = self
    basis.common.combine(item.id.bytes)
    return basis.digits(with: item)
  }

  /// Returns the fingerprint for pressing a button.
  func digits(for action: Action) -> String { digits(with: action) }

  /// Returns the fingerprint for changing an answer under review.
  func digits(for row: ReviewRow) -> String { digits(with: row) }

  /// Returns the fingerprint for sending several rows. In addition, each row has its own fingerprint.
  func digits(for choosing: Choosing) -> String { digits(with: choosing) }

  private func digits(with choice: some Hashable) -> String {
    var hasher = common
    hasher.combine(choice)
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}
