import CoordinatorKit
import Languages

/// What a user has typed on a screen that somebody else answered before it was sent. Contains no secrets.
public struct UnsentText: Sendable, Hashable {
  /// The titles of the fields with the text of each, in the order of the form.
  public private(set) var entries: [Entry] = []

  /// A field with its text.
  public struct Entry: Sendable, Hashable {
    /// The title of the field.
    public let title: String
    /// The text.
    public let text: String
  }

  /// Collects what was typed; nil if that is nothing.
  ///
  /// - Parameters:
  ///   - values: what was typed, by field, as in a draft.
  ///   - fields: fields of the form.
  public init?(_ values: [String: JSONValue], of fields: [Field]) {
    for field in fields where !field.schema.isSecret {
      guard let value = values[field.name] else { continue }
      let text = value.string ?? FieldText.text(of: value, in: field.schema)
      if !text.trimmed.isEmpty { entries.append(Entry(title: FieldText.title(of: field), text: text)) }
    }
    if entries.isEmpty { return nil }
  }

  /// The text in one line.
  public var sentence: String {
    Text("Your text was not sent: {text}", ["text": entries.map(\.text.printable).joined(separator: "; ")]).string
  }

  /// The texts with the titles of their fields, a line each.
  public var lines: [String] {
    [Text("Your text was not sent:").string] + entries.map { "  \($0.title.printable): \($0.text.printable)" }
  }
}
