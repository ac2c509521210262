/// A type whose values can be inserted into a ``Text``.
public protocol TextValue {
  /// The value to insert.
  var textValue: Text.Value { get }
}

extension Text {
  /// A value that is inserted into a text.
  public enum Value: Sendable, Hashable {
    /// A string, inserted as it is.
    case string(String)
    /// An integer, inserted in decimal.
    case integer(Int)
    /// Another text, inserted in the same language.
    case text(Text)
  }

  /// The values of a text's placeholders, by name.
  ///
  /// ```swift
  /// Text("Step {step} of {count}", ["step": step, "count": 4])
  /// ```
  public struct Values: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    struct Entry: Sendable, Hashable {
      var name: String
      var value: Text.Value
    }

    /// Sorted by name, so that equal values are equal. A repeated name does not trap, as it would in a dictionary.
    let entries: [Entry]

    /// Creates values from a literal.
    ///
    /// - Parameter elements: the names and their values; of a repeated name, the first counts.
    public init(dictionaryLiteral elements: (String, any TextValue)...) { self.init(elements) }

    /// Creates values from pairs, such as those of a dictionary.
    ///
    /// - Parameter pairs: the names and their values; of a repeated name, the first counts.
    public init(_ pairs: some Sequence<(String, any TextValue)>) {
      var entries: [Entry] = []
      for (name, value) in pairs where !entries.contains(where: { $0.name == name }) {
        entries.append(Entry(name: name, value: value.textValue))
      }
      entries.sort { $0.name < $1.name }
      self.entries = entries
    }

    /// Whether there are no values.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a placeholder; nil if it has none.
    ///
    /// - Parameter name: the name of the placeholder.
    public subscript(name: String) -> Text.Value? { entries.first { $0.name == name }?.value }
  }
}

extension String: TextValue {
  /// The string, inserted as it is.
  public var textValue: Text.Value { .string(self) }
}

extension Substring: TextValue {
  /// The string, inserted as it is.
  public var textValue: Text.Value { .string(String(self)) }
}

extension Int: TextValue {
  /// The integer, inserted in decimal.
  public var textValue: Text.Value { .integer(self) }
}

extension Text: TextValue {
  /// The text, inserted in the same language as the text around it.
  public var textValue: Text.Value {
    // Both forms have the same meaning; using only one makes equal texts equal.
    if case .verbatim(let text) = content { .string(text) } else { .text(self) }
  }
}
