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
  init(_ presented: PresentedScreen) {
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
    if let items = screen.items {
      lines.append("\(screen.name): { select: ITEM }   # \(Self.list(items.map(\.id)))")
    }
    let actions = screen.actions.filter { screen.form == nil || $0.role != .primary }.map(\.id)
    if !actions.isEmpty { lines.append("\(screen.name): ACTION   # \(Self.list(actions))") }
    if presented.back { lines.append("\(screen.name): { back: true }") }
    self.lines = lines.map(\.printable)
    json = JSONValue(presented)
  }

  private static func list(_ ids: [String]) -> String {
    ids.prefix(longestList).joined(separator: ", ") + (ids.count > longestList ? " and \(ids.count - longestList) more" : "")
  }
}
