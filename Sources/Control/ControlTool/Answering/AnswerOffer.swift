import CoordinatorAnswers
import CoordinatorBus
import CoordinatorKit
import RendererKit

/// A description of the answers that a screen accepts, as lines that can be pasted into an answers file.
struct AnswerOffer: Sendable, Hashable {
  private static let longestList = 20

  /// The lines below the name of the flow.
  let lines: [String]
  /// The same information as JSON.
  let json: JSONValue

  /// Describes the answers that a screen accepts.
  ///
  /// - Parameters:
  ///   - presented: screen.
  ///   - others: all screens of the window, from which a review takes the names of its answers' screens.
  init(_ presented: PresentedScreen, among others: [PresentedScreen] = []) {
    let screen = presented.screen
    var lines: [String] = []
    if let form = screen.form, let action = screen.actions.first(where: { $0.role == .primary }) {
      lines.append("\(screen.name):   # sent as \(action.id)")
      lines += form.fields.map { field in
        let kind = field.schema.isSecret ? "{ fd: 3 }, { credential: NAME } or { file: PATH }" : FieldText.kind(of: field.schema)
        let remarks =
          (field.isRequiredIfShown ? [] : ["optional"])
          + (FieldText.condition(of: field, among: form.fields).map { [$0] } ?? [])
        return "  \(field.name): \(kind)" + (remarks.isEmpty ? "" : "   # \(remarks.joined(separator: ", "))")
      }
    }
    let suggested = screen.offeredSuggestions
    if let items = screen.items { lines.append("\(screen.name): \(Self.text(of: items, screen.choosing, suggested))") }
    let actions = screen.actions.filter { screen.form == nil || $0.role != .primary }
    if !actions.isEmpty {
      let disabled = screen.actions.compactMap { action in action.disabled.map { (action.id, $0) } }
      let remark = Self.list(actions.filter { $0.disabled == nil }.map(\.id), not: disabled)
      lines.append("\(screen.name): ACTION   # " + remark + Self.text(of: suggested.filter(Set(actions.map(\.id)).contains)))
    }
    let changes = ReviewChanges(on: screen, among: others).names
    if !changes.isEmpty { lines.append("\(screen.name): { change: SCREEN }   # \(Self.list(changes))") }
    if presented.back { lines.append("\(screen.name): { back: true }") }
    self.lines = lines.map(\.printable)
    json = JSONValue(presented)
  }

  private static func text(of items: [Item], _ choosing: Choosing?, _ suggested: [String]) -> String {
    let disabled = items.compactMap { item in item.disabled.map { (item.id, $0) } }
    let remark = list(items.filter { $0.disabled == nil }.map(\.id), not: disabled)
    let initial =
      (choosing.map(\.initial).flatMap { $0.isEmpty ? nil : "; at first: \(list($0))" } ?? "")
      + text(of: suggested.filter(Set(items.map(\.id)).contains))
    guard let count = choosing?.count else { return "{ select: ITEM }   # \(remark)\(initial)" }
    return "{ select: [ITEM, ITEM] }   # \(ItemSelection.text(of: count)) of \(remark)\(initial)"
  }

  /// Returns a remark about what a screen suggests; empty for nothing.
  private static func text(of suggested: [String]) -> String { suggested.isEmpty ? "" : "; suggested: \(list(suggested))" }

  /// Lists ids, and those that cannot be chosen now with the reasons.
  private static func list(_ ids: [String], not disabled: [(id: String, reason: String)]) -> String {
    guard !disabled.isEmpty else { return list(ids) }
    let others = disabled.prefix(longestList).map { "\($0.id) (\($0.reason))" }.joined(separator: ", ")
    return [ids.isEmpty ? nil : list(ids), "not now: \(others)"].compactMap(\.self).joined(separator: "; ")
  }

  private static func list(_ ids: [String]) -> String {
    ids.prefix(longestList).joined(separator: ", ") + (ids.count > longestList ? " and \(ids.count - longestList) more" : "")
  }
}
