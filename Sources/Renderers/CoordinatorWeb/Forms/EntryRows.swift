import CoordinatorKit
import Platform
import RendererKit

/// The rows of controls for the entries of a list of small objects.
///
/// A row without text is not an entry, so that a page can always offer an empty row.
struct EntryRows: Sendable, Hashable {
  /// The text typed in a row, by the name of the control's field, in the form that the controls use.
  typealias Row = [String: [String]]

  /// The prefix of the names of all controls of rows.
  static let prefix = "entry/"
  /// The maximum number of rows that a page offers by default.
  private static let mostOffered = 10

  /// The list.
  let field: Field
  /// The rows, in order.
  private(set) var rows: [Row]

  private var entry: Schema { FieldText.entrySchema(of: field.schema) ?? .object([]) }
  /// The fields of each row.
  var members: [Field] { entry.fields }

  /// Creates the rows for text that was typed before.
  ///
  /// - Parameters:
  ///   - field: list of small objects.
  ///   - lines: entries in the format of ``EntryText``. A line that is not an entry is shown in the first control of its row.
  init(_ field: Field, lines: [String]) {
    self.field = field
    rows = []
    rows = lines.map { line in
      let value = EntryText.value(of: line, in: entry)
      guard let values = value.object else { return members.first.map { [$0.name: [line]] } ?? [:] }
      return Dictionary(members.map { ($0.name, values[$0.name].map(FieldControl.texts) ?? []) }, uniquingKeysWith: { $1 })
    }
  }

  /// Reads the rows of a submitted form.
  ///
  /// - Parameters:
  ///   - field: list of small objects.
  ///   - sent: submitted values, by name.
  init(_ field: Field, sent: [String: [String]]) {
    self.field = field
    rows = []
    let names = members.map(\.name)
    rows = (sent[Self.name(of: field)] ?? []).compactMap { Int($0) }.map { row in
      Dictionary(
        names.map { ($0, (sent[Self.name(of: $0, in: field, row: row)] ?? []).map(\.withPlainLineBreaks)) },
        uniquingKeysWith: { $1 })
    }
  }

  /// The rows as lines in the format of ``EntryText``, one for each row.
  var lines: [String] { rows.map(line) }

  /// The lines of the rows that are entries.
  var entryLines: [String] { rows.filter(isEntry).map(line) }

  /// The entries, unchecked.
  var values: [JSONValue] { rows.filter(isEntry).map { .object(shown(values(of: $0))) } }

  /// Adds an empty row, unless the list has its maximum number of entries.
  mutating func add() {
    if !isFull { rows.append(fresh) }
  }

  /// Removes a row. Does nothing if there is no such row.
  ///
  /// - Parameter index: index of the row.
  mutating func remove(_ index: Int) {
    if rows.indices.contains(index) { rows.remove(at: index) }
  }

  /// Adds the rows that a page offers by default: the minimum number of entries, and at least one if an empty row is not an
  /// entry.
  mutating func offer() {
    let least = min(rule?.count.lower?.value ?? 0, Self.mostOffered)
    while rows.count < max(least, isEntry(fresh) ? 0 : 1), !isFull { rows.append(fresh) }
  }

  /// Whether the list has its maximum number of rows.
  var isFull: Bool { maximum.map { rows.count >= $0 } ?? false }

  /// The maximum number of entries; nil for no limit.
  var maximum: Int? { rule?.count.upper?.value }

  private var rule: Schema.ListRule? { if case .list(let rule) = field.schema.rule { rule } else { nil } }

  private var fresh: Row {
    Dictionary(
      members.map { ($0.name, $0.schema.defaultValue.map(FieldControl.texts) ?? []) }, uniquingKeysWith: { $1 })
  }

  /// Returns whether a row is an entry: it contains text, or no text is required.
  private func isEntry(_ row: Row) -> Bool {
    let values = values(of: row)
    return values != self.values(of: fresh) || entry.check(shown(values)).isEmpty
  }

  private func values(of row: Row) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for member in members { values[member.name] = FormAnswer.value(of: row[member.name] ?? [], for: member) }
    return values
  }

  /// Without JavaScript, a row shows all its fields.
  private func shown(_ values: [String: JSONValue]) -> [String: JSONValue] {
    let names = entry.shownFields(in: values)
    return values.filter { names.contains($0.key) }
  }

  private func line(_ row: Row) -> String { EntryText.text(of: .object(values(of: row)), in: entry) }
}

/// The names of the controls. Fields may have any name, so names are encoded.
extension EntryRows {
  /// Returns the name of the hidden controls that number the rows of a list.
  static func name(of field: Field) -> String { prefix + PercentEncoding.encode(field.name) }

  /// Returns the name of a control in a row.
  static func name(of member: String, in field: Field, row: Int) -> String {
    "\(name(of: field))/\(row)/\(PercentEncoding.encode(member))"
  }
}

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
