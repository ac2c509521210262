import CoordinatorAnswers
import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Interprets an answer for a given screen. A value without I/O.
struct AnswerReading: Sendable, Hashable {
  /// The screen to answer.
  var screen: PresentedScreen
  /// The revision at which the screen was seen.
  var revision: UInt64
  /// Whether fields that the answer omits are filled with the screen's own values.
  var fillsIn: Bool
  /// All screens of the window, from which a review takes the names of its answers' screens.
  var others: [PresentedScreen] = []

  /// Returns the move that an answer yields, or throws the problem with it.
  func move(_ answer: ScreenAnswer) throws(AnswerProblem) -> AnswerMove {
    switch answer {
    case .unknown: throw .missing(fields: [])
    case .repeated(let answer): return try move(answer)
    case .dismiss: return .dismiss
    case .back:
      guard screen.back else { throw .wrong(field: nil, "cannot go back from this screen") }
      return .back(screen: screen.id)
    case .action(let id):
      guard let action = screen.screen.actions.first(where: { $0.id.bytes.equals(id) }) else { throw notOffered(id) }
      return try submit(action, [:])
    case .values(let values): return try fillIn(values)
    }
  }

  /// The move that the screen itself proposes, or nil if it proposes none.
  ///
  /// An action that asks for confirmation is never proposed: a user must be asked, or the file must name it.
  var proposal: AnswerMove? {
    if let initial = ItemSelection.initial(on: screen.screen) { return selection(initial) }
    return proposedAction ?? emptySelection
  }

  private var proposedAction: AnswerMove? {
    let actions = screen.screen.actions
    let standard = screen.screen.kind == .form ? nil : screen.screen.offeredDefault
    let named = actions.filter { $0.id == standard }
    let primary = actions.filter { $0.role == .primary }
    let proposed = !named.isEmpty ? named : primary.isEmpty && screen.screen.items == nil ? actions : primary
    guard proposed.count == 1, let action = proposed.first, action.role == .primary || action.role == .normal else { return nil }
    guard primary.count == 1 || screen.screen.kind != .form, action.confirmation == nil else { return nil }
    return try? AnswerReading(screen: screen, revision: revision, fillsIn: true).submit(action, [:])
  }

  /// The choice of no item, on a list that initially shows none as chosen and requires none.
  private var emptySelection: AnswerMove? {
    guard screen.screen.choosing?.initial.isEmpty == true else { return nil }
    return (try? ItemSelection(.list([]), on: screen.screen)).map(selection)
  }

  private func selection(_ items: ItemSelection) -> AnswerMove {
    .delegate(delegation(Event.select, items.payload), references: [])
  }

  private func fillIn(_ values: [String: AnswerValue]) throws(AnswerProblem) -> AnswerMove {
    let content = screen.screen
    var values = values
    if content.items != nil, values.count == 1, let value = values["select"] {
      guard value != .nothing else { throw .missing(fields: []) }
      return selection(try ItemSelection(value, on: content))
    }
    if !content.review.isEmpty, values.count == 1, let value = values["change"],
      content.form?.fields.contains(where: { $0.name == "change" }) != true
    {
      guard value != .nothing else { throw .missing(fields: []) }
      return try change(value)
    }
    var action = content.actions.first { $0.role == .primary }
    let hasFieldOfThatName = content.form?.fields.contains { $0.name == "action" } == true
    if !hasFieldOfThatName, let name = values.removeValue(forKey: "action"), name != .nothing {
      guard case .text(let id) = name else { throw .wrong(field: "action", "must be the id of an action") }
      guard let named = content.actions.first(where: { $0.id.bytes.equals(id) }) else { throw notOffered(id) }
      action = named
    }
    if action == nil, content.form != nil { throw .wrong(field: nil, "the form cannot be sent now: it has no primary action") }
    guard let action else { throw .wrong(field: nil, "requires the id of an action, without values") }
    return try submit(action, values)
  }

  /// Returns the move that shows the screen of a reviewed answer again.
  private func change(_ value: AnswerValue) throws(AnswerProblem) -> AnswerMove {
    let changes = ReviewChanges(on: screen.screen, among: others)
    guard case .text(let name) = value, let id = changes.id(named: name) else {
      throw .wrong(
        field: "change",
        changes.names.isEmpty
          ? "no answer can be changed now"
          : "must be the name of a screen whose answer is under review: \(changes.names.joined(separator: ", "))")
    }
    return .delegate(delegation(ReviewRow.change, ReviewChanges.payload(id)), references: [])
  }

  private func submit(_ action: Action, _ values: [String: AnswerValue]) throws(AnswerProblem) -> AnswerMove {
    if let reason = action.disabled { throw .wrong(field: nil, "'\(action.id)' cannot be chosen now: \(reason)") }
    let fields = action.role == .primary ? screen.screen.form?.fields ?? [] : []
    if let unknown = values.keys.filter({ name in !fields.contains { $0.name.bytes.equals(name) } }).min() {
      let names = fields.map(\.name).joined(separator: ", ")
      throw .wrong(
        field: unknown,
        fields.isEmpty ? "unknown field: '\(action.id)' takes no values" : "unknown field; expected one of: \(names)")
    }
    var payload: [String: JSONValue] = [:]
    var references: [AnswerMove.Reference] = []
    var empty: [Field] = []
    for field in fields {
      switch values[field.name] {
      case .reference(let source): references.append(AnswerMove.Reference(field: field, source: source))
      case .text(let text): payload[field.name] = try value([text], isList: false, of: field)
      case .list(let texts): payload[field.name] = try value(texts, isList: true, of: field)
      case .nothing: empty.append(field)
      case nil:
        if let proposed = fillsIn ? screen.screen.proposal(for: field) : nil {
          payload[field.name] = proposed
        } else {
          empty.append(field)
        }
      }
    }
    // A field that is not shown is neither required nor sent, nor is its secret read.
    let shown = Set(Form(fields).shownFields(in: payload).map(\.name))
    let missing = empty.filter { $0.isRequiredIfShown && shown.contains($0.name) }.map(\.name)
    guard missing.isEmpty else { throw .missing(fields: missing) }
    return .delegate(
      delegation(action.id, payload.filter { shown.contains($0.key) }),
      references: references.filter { shown.contains($0.field.name) })
  }

  private func value(_ texts: [String], isList: Bool, of field: Field) throws(AnswerProblem) -> JSONValue {
    guard !field.schema.isSecret else {
      throw .wrong(
        field: field.name,
        "is a secret, which must not be in the file; write { fd: 3 }, { credential: NAME } or { file: PATH }")
    }
    guard isList else { return AnswerText.value(of: texts.first ?? "", in: field.schema) }
    guard case .list(let rule) = field.schema.rule else { throw .wrong(field: field.name, "must be one value, not a list") }
    return .array(texts.map { AnswerText.value(of: $0, in: rule.items) })
  }

  private func delegation(_ event: String, _ payload: [String: JSONValue]) -> Delegation {
    Delegation(coordinator: screen.coordinator, screen: screen.id, event: event, payload: payload, seen: revision)
  }

  private func notOffered(_ id: String) -> AnswerProblem {
    let suggestion = Suggestion.best(for: id, among: screen.screen.actions.map(\.id)).map { "; did you mean '\($0)'?" } ?? ""
    return .wrong(field: nil, "the screen does not offer '\(id)'\(suggestion)")
  }
}

extension Screen {
  /// Returns the value that the screen proposes for a field of its form, if the field's schema accepts it.
  func proposal(for field: Field) -> JSONValue? {
    guard !field.schema.isSecret, let value = values[field.name] ?? field.schema.defaultValue,
      Form(field).schema.check([field.name: value]).isEmpty
    else { return nil }
    return value
  }

  /// Returns the payload of an event with the values that the screen proposes for the fields that it lacks.
  ///
  /// - Parameters:
  ///   - payload: values that are given.
  ///   - event: event of an action; only the primary one sends the form.
  /// - Returns: the payload, without fields that are not shown for these values.
  func filledIn(_ payload: [String: JSONValue], for event: String) -> [String: JSONValue] {
    guard let form, actions.contains(where: { $0.id == event && $0.role == .primary }) else { return payload }
    var filled = payload
    for field in form.fields where filled[field.name] == nil { filled[field.name] = proposal(for: field) }
    let shown = Set(form.shownFields(in: filled).map(\.name))
    // Given values are sent unchanged, so that the daemon can report the errors in them.
    return filled.filter { payload[$0.key] != nil || shown.contains($0.key) }
  }
}

/// The step that an answers file yields for a screen, ready to be sent.
package enum AnswerMove: Sendable, Hashable {
  /// A field whose value is read later.
  package struct Reference: Sendable, Hashable {
    package var field: Field
    package var source: SecretReference
  }

  /// Delegate an event. The referenced fields are read at the last moment and added to its payload.
  case delegate(Delegation, references: [Reference])
  /// Go back from a screen.
  case back(screen: UInt64)
  /// End the flow tree.
  case dismiss

  /// Whether the move selects an item of a list.
  var isSelection: Bool { if case .delegate(let delegation, _) = self { delegation.event == Event.select } else { false } }
}

/// The reason why an answer does not yield a move.
enum AnswerProblem: Error, Sendable, Hashable {
  /// These required fields have no value.
  case missing(fields: [String])
  /// The answer, or its value for `field`, does not fit this screen.
  case wrong(field: String?, String)
  /// The selected item is not in the list, but may still be added to it.
  case absent(item: String)
}

/// The payload of `select` for an answer to a list. A value without I/O.
struct ItemSelection: Sendable, Hashable {
  let payload: [String: JSONValue]

  /// Interprets the value of `select`: the id of an item, or a list of ids.
  ///
  /// - Parameters:
  ///   - value: value in the answers file.
  ///   - screen: screen with the list.
  /// - Throws: ``AnswerProblem`` if the items cannot be chosen.
  init(_ value: AnswerValue, on screen: Screen) throws(AnswerProblem) {
    let count = screen.choosing?.count
    let ids: [String]
    switch value {
    case .text(let id): ids = [id]
    case .list(let several):
      guard count != nil || several.count == 1 else { throw Self.wrong("must be the id of one item") }
      ids = several
    case .nothing, .reference:
      throw Self.wrong(count == nil ? "must be the id of an item" : "must be a list of the ids of items")
    }
    try Self.check(ids, among: screen.items ?? [])
    guard let count else {
      payload = ["id": .string(ids[0])]
      return
    }
    guard count.contains(ids.count) else { throw Self.wrong("choose \(Self.text(of: count)) items, not \(ids.count)") }
    payload = ["ids": .array(ids.map(JSONValue.string))]
  }

  /// Returns the selection of the items that are initially chosen; nil if there are none, or they cannot be chosen.
  static func initial(on screen: Screen) -> ItemSelection? {
    guard let choosing = screen.choosing, !choosing.initial.isEmpty else { return nil }
    let ids = choosing.count == nil ? Array(choosing.initial.prefix(1)) : choosing.initial
    return try? ItemSelection(.list(ids), on: screen)
  }

  /// Returns the number of items that can be chosen, in words: `1 to 3`.
  static func text(of count: ClosedRange<Int>) -> String {
    count.lowerBound == count.upperBound ? "exactly \(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }

  private static func check(_ ids: [String], among items: [Item]) throws(AnswerProblem) {
    let byID = Dictionary(items.map { ($0.id.bytes, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<TextBytes> = []
    for id in ids {
      guard seen.insert(id.bytes).inserted else { throw wrong("contains '\(id)' twice") }
      guard let item = byID[id.bytes] else {
        // Without this hint, the player would wait for an item that cannot exist.
        if let named = items.first(where: { $0.title.bytes.equals(id) }) {
          throw wrong("'\(id)' is the title of an item; write its id, '\(named.id)'")
        }
        throw .absent(item: id)
      }
      if let reason = item.disabled { throw wrong("'\(id)' cannot be chosen now: \(reason)") }
    }
  }

  private static func wrong(_ reason: String) -> AnswerProblem { .wrong(field: "select", reason) }
}
