import CoordinatorKit
import Platform
import RendererKit

/// The rows of a list of small objects, with buttons that add and remove rows.
struct EntriesMarkup: Sendable {
  private let rows: EntryRows
  /// The id of the list's field.
  private let id: String
  /// The errors, by row and then by field.
  private let errors: [Int: [String: String]]
  private let isReadOnly: Bool
  /// Whether the form has secrets, which are lost without JavaScript when a row is added or removed.
  private let hasSecrets: Bool

  /// Creates the rows.
  ///
  /// - Parameters:
  ///   - field: list of small objects.
  ///   - id: id of the field.
  ///   - lines: entries in the format of ``EntryText``.
  ///   - reasons: errors of the form, by field or place.
  ///   - isReadOnly: whether the rows can be read but not changed.
  ///   - hasSecrets: whether the form has secrets.
  init(
    _ field: Field, id: String, lines: [String], reasons: [String: String], isReadOnly: Bool, hasSecrets: Bool
  ) {
    var rows = EntryRows(field, lines: lines)
    if !isReadOnly { rows.offer() }
    self.rows = rows
    (self.id, self.isReadOnly, self.hasSecrets) = (id, isReadOnly, hasSecrets)
    errors = Self.errors(reasons, of: rows)
  }

  /// Returns the id of a control.
  ///
  /// - Parameters:
  ///   - member: index of the field in the row.
  ///   - row: index of the row.
  ///   - field: id of the list's field.
  /// - Returns: the id.
  static func memberID(_ member: Int, row: Int, of field: String) -> String { "\(field)-\(row)-\(member)" }

  /// The markup.
  @HTMLBuilder var html: HTML {
    for (number, row) in rows.rows.enumerated() { html(of: row, number) }
    if !isReadOnly {
      if rows.isFull {
        tag("p", .class("hint")) {
          Text(
            one: "There can be at most {count} entry.", other: "There can be at most {count} entries.",
            count: rows.maximum ?? 0)
        }
      } else {
        tag(
          "button", .id(id + "-add"), .class("row-button"), Attribute("name", RowChange.name),
          Attribute("value", RowChange.adding(to: rows.field)), Attribute("data-rows", EntryRows.name(of: rows.field))
        ) { rows.rows.isEmpty ? Text("Add an entry") : Text("Add another entry") }
      }
      if hasSecrets {
        tag("noscript") {
          tag("p", .class("hint")) {
            Text("If you add or remove an entry, you have to type passwords on this page again.")
          }
        }
      }
    }
  }

  private func html(of row: EntryRows.Row, _ number: Int) -> HTML {
    tag("fieldset", .id("\(id)-row-\(number)"), .class("entry")) {
      tag("legend") { Text("Entry {number}", ["number": number + 1]) }
      void(
        "input", Attribute("type", "hidden"), Attribute("name", EntryRows.name(of: rows.field)),
        Attribute("value", String(number)))
      for (index, member) in rows.members.enumerated() {
        FieldMarkup(
          field: member, id: Self.memberID(index, row: number, of: id),
          name: EntryRows.name(of: member.name, in: rows.field, row: number),
          texts: row[member.name] ?? [], error: errors[number]?[member.name], isReadOnly: isReadOnly,
          condition: FieldText.conditionSentence(of: member, among: rows.members),
          shownIf: ShownIf(member) { EntryRows.name(of: $0, in: rows.field, row: number) }
        ).html
      }
      if let error = errors[number]?[""] {
        tag("p", .class("error")) {
          tag("span", .class("aside")) { Text("Error: ") }
          tag("span", Attribute("dir", "auto")) { error }
        }
      }
      if !isReadOnly {
        tag(
          "button", .class("row-button"), Attribute("name", RowChange.name),
          Attribute("value", RowChange.removing(number, from: rows.field)),
          Attribute("data-rows", EntryRows.name(of: rows.field))
        ) {
          Text("Remove")
          tag("span", .class("aside")) { " " + Text("entry {number}", ["number": number + 1]).string }
        }
      }
    }
  }

  // MARK: Errors

  /// Finds the row and the field that a place such as `addresses[2].ip` names; the field is empty for a whole row.
  private static func place(_ key: String, in rows: EntryRows) -> (row: Int, member: String)? {
    guard let (number, rest) = key.bytes.dropping(prefix: rows.field.name + "[")?.bytes.cut(at: "]"),
      let row = Int(number), rows.rows.indices.contains(row)
    else { return nil }
    if rest.isEmpty { return (row, "") }
    guard let member = rest.bytes.dropping(prefix: "."), rows.members.contains(where: { $0.name.bytes.equals(member) })
    else { return nil }
    return (row, String(member))
  }

  private static func errors(_ reasons: [String: String], of rows: EntryRows) -> [Int: [String: String]] {
    var errors: [Int: [String: String]] = [:]
    for (key, reason) in reasons {
      guard let (row, member) = place(key, in: rows) else { continue }
      let sentence = FormReasons([member: reason], of: rows.members).fields[member]?.sentence
      errors[row, default: [:]][member] =
        sentence ?? FormReasons([key: reason], of: [rows.field]).fields[rows.field.name]?.sentence
    }
    return errors
  }

  /// Returns the keys of the reasons that are shown in the rows, and the errors for the summary of the page.
  func problems(_ reasons: [String: String]) -> [(key: String, problem: ErrorSummary.Problem)] {
    let placed = reasons.compactMap { key, reason in Self.place(key, in: rows).map { (key, reason, $0) } }
    return placed.sorted { ($0.2.row, $0.2.member) < ($1.2.row, $1.2.member) }.map { key, reason, place in
      let sentence = FormReasons([key: reason], of: [rows.field]).fields[rows.field.name]?.sentence ?? reason
      let member = rows.members.firstIndex { $0.name == place.member } ?? 0
      return (key, ErrorSummary.Problem(text: sentence, field: Self.memberID(member, row: place.row, of: id)))
    }
  }
}
