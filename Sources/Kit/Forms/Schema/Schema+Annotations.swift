/// Keywords that describe the value for renderers. They are stored in ``annotations``, and `validate()` refuses a value
/// of the wrong type.
extension Schema {
  /// Examples of values, to be shown as hints (`examples`).
  public var examples: [JSONValue] { annotations[Keyword.examples]?.array ?? [] }

  /// The purpose of the value (`x-purpose`); nil if the schema has none.
  public var purpose: Purpose? { annotations[Keyword.purpose]?.string.flatMap(Purpose.init(rawValue:)) }

  /// The unit of a number, to be shown after it (`x-unit`); nil if there is none.
  public var unit: String? { annotations[Keyword.unit]?.string }

  /// Whether a text may have several lines (`x-multiline`).
  public var isMultiline: Bool { annotations[Keyword.multiline] == true }

  /// Whether renderers may show a secret while the user types it (`x-revealable`).
  public var isRevealable: Bool { annotations[Keyword.revealable] == true }

  /// The text for a value that breaks a rule of the schema, which replaces the one generated from the rule (`x-message`); nil
  /// if there is none.
  public var message: String? { annotations[Keyword.message]?.string }

  /// Returns the same schema with another example of a value.
  public func example(_ value: JSONValue) -> Schema { annotated(Keyword.examples, .array(examples + [value])) }

  /// Returns the same schema for a value with a purpose.
  public func meant(for purpose: Purpose) -> Schema { annotated(Keyword.purpose, .string(purpose.rawValue)) }

  /// Returns the same schema of a number with a unit, such as `GB`.
  public func measured(in unit: String) -> Schema { annotated(Keyword.unit, .string(unit)) }

  /// Returns the same schema with a text for a value that breaks one of its rules, such as "Use small letters, digits and
  /// hyphens".
  public func explained(_ message: Text) -> Schema {
    var schema = annotated(Keyword.message, .string(message.resolved(in: nil)))
    schema.texts = texts.with(message: message)
    return schema
  }

  /// The same schema of a text, with several lines.
  public var multiline: Schema { annotated(Keyword.multiline, true) }

  /// The same schema of a secret, which renderers may show while the user types it, such as the passphrase of a network.
  public var revealable: Schema { annotated(Keyword.revealable, true) }

  private func annotated(_ keyword: String, _ value: JSONValue) -> Schema {
    var schema = self
    schema.annotations[keyword] = value
    return schema
  }
}

extension Schema {
  /// Validates the annotations that this module interprets.
  func validateMeanings(at pointer: String) throws(SchemaError) {
    guard !annotations.isEmpty else { return }
    for (keyword, value) in annotations.sorted(by: { $0.key < $1.key }) {
      guard let expectation = expectation(of: keyword, value) else { continue }
      throw SchemaError(at: pointer.pointing(to: keyword), expectation)
    }
  }

  /// Returns the problem with the value or the place of an annotation; nil if it is valid.
  private func expectation(of keyword: String, _ value: JSONValue) -> SchemaError.Reason? {
    switch keyword {
    case Keyword.message: return value.string?.isEmpty == false ? nil : .malformed(expected: "a text for the user")
    case Keyword.unit:
      guard value.string?.isEmpty == false else { return .malformed(expected: "the name of a unit") }
      return isNumeric ? nil : .badAnnotation
    case Keyword.purpose:
      return purpose == nil ? .malformed(expected: "a value of HTML's attribute autocomplete, such as username") : nil
    case Keyword.multiline:
      guard value.boolean != nil else { return .malformed(expected: "true or false") }
      if case .text = rule { return nil }
      return .badAnnotation
    case Keyword.revealable:
      guard value.boolean != nil else { return .malformed(expected: "true or false") }
      return isSecret ? nil : .badAnnotation
    // These keywords belong to a field, not to its schema.
    case Keyword.shownIf, Keyword.requiredIfShown: return .badAnnotation
    default: return nil
    }
  }

  private var isNumeric: Bool {
    switch rule {
    case .integer, .number: true
    case .choice(let choices): choices.allSatisfy { $0.value.number != nil }
    default: false
    }
  }
}
