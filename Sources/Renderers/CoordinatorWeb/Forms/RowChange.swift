import CoordinatorKit
import Platform
import RendererKit

/// The press of a button that adds or removes a row of a list. It sends no answer: the page is only shown again.
struct RowChange: Sendable, Hashable {
  /// The name of all such buttons.
  static let name = "row"
  private static let adding = "add"

  /// The name of the list's field.
  let field: String
  /// The index of the row to remove; nil to add one at the end.
  private let removed: Int?

  /// Reads the press from a submitted form; nil if another button was pressed.
  ///
  /// - Parameters:
  ///   - body: submitted names and values.
  ///   - fields: fields of the form.
  init?(_ body: FormBody, of fields: [Field]) {
    guard let (row, name) = body[Self.name]?.bytes.cut(at: "/"),
      let field = fields.first(where: { $0.name.bytes.equals(name) && FieldText.entrySchema(of: $0.schema) != nil })
    else { return nil }
    guard row == Self.adding || Int(row) != nil else { return nil }
    self.field = field.name
    removed = Int(row)
  }

  /// Returns the value of the button that adds a row.
  static func adding(to field: Field) -> String { "\(adding)/\(field.name)" }

  /// Returns the value of the button that removes a row.
  static func removing(_ row: Int, from field: Field) -> String { "\(row)/\(field.name)" }

  /// Changes the rows of a draft.
  ///
  /// - Parameters:
  ///   - draft: draft to change. The reasons for the list are dropped, because they refer to rows by number.
  ///   - fields: fields of the form.
  /// - Returns: the id of the element where the user continues.
  func apply(to draft: inout Draft, of fields: [Field]) -> String? {
    guard let index = fields.firstIndex(where: { $0.name == field }) else { return nil }
    var rows = EntryRows(fields[index], lines: draft.typed[field] ?? [])
    if let removed { rows.remove(removed) } else { rows.add() }
    draft.typed[field] = rows.lines
    draft.reasons = draft.reasons.filter { $0.key != field && !$0.key.bytes.hasPrefix(field + "[") }
    let id = FieldMarkup.id(index)
    return removed == nil && !rows.rows.isEmpty ? EntriesMarkup.memberID(0, row: rows.rows.count - 1, of: id) : id + "-group"
  }
}
