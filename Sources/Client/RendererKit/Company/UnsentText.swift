import CoordinatorKit
import Languages

/// The unsent text of a user on a screen that another client has answered. Contains no secrets.
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

  /// Collects the typed text; nil if there is none.
  ///
  /// - Parameters:
  ///   - values: typed values by field, as in a draft.
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

  /// The texts with the titles of their fields, one on each line.
  public var lines: [String] {
    [Text("Your text was not sent:").string] + entries.map { "  \($0.title.printable): \($0.text.printable)" }
  }
}
