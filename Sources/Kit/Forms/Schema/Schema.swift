import Languages
import Platform

/// The schema of a value: the subset of JSON Schema 2020-12 that forms, inputs and payloads need.
///
/// The outermost schema is an object whose named properties are strings, numbers, Booleans, choices, or lists of those.
/// Objects are closed: any key that is not a property is an error.
///
/// ```swift
/// let schema = Schema.object(Field("order", .choice(title: "Order", of: QuoteOrder.allCases)).optional)
/// let reasons = schema.check(["order": "author"])
/// ```
public struct Schema: Sendable, Hashable {
  /// The kind of value that a schema accepts.
  public enum Rule: Sendable, Hashable {
    /// A string.
    case text(TextRule)
    /// A number without a fraction.
    case integer(Bounds<Int64>)
    /// A finite number.
    case number(Bounds<Double>)
    /// True or false.
    case boolean
    /// One of these values.
    case choice([Choice])
    /// A list of strings, numbers, Booleans, choices, or objects of those.
    indirect case list(ListRule)
    /// An object with exactly these fields, sorted by name.
    case object([Field])
  }

  /// The constraints on a string.
  public struct TextRule: Sendable, Hashable {
    /// The allowed number of code points.
    public var length: Bounds<Int>
    /// A pattern that must occur in the string; `^` and `$` anchor it to the ends.
    public var pattern: Pattern?
    /// The format of the string.
    public var format: Format?

    /// Creates constraints.
    ///
    /// - Parameters:
    ///   - length: the allowed number of code points.
    ///   - pattern: a pattern that must occur in the string.
    ///   - format: the format of the string.
    public init(length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil, format: Format? = nil) {
      self.length = length.bounds.ofCount
      self.pattern = pattern
      self.format = format
    }
  }

  /// The constraints on a list.
  public struct ListRule: Sendable, Hashable {
    /// The schema of each entry, which must not be a list. The fields of an object must not be lists or secrets.
    public var items: Schema
    /// The allowed number of entries.
    public var count: Bounds<Int>
    /// Whether all entries must be different.
    public var isUnique: Bool

    /// Creates constraints.
    ///
    /// - Parameters:
    ///   - items: the schema of each entry, which must not be a list.
    ///   - count: the allowed number of entries.
    ///   - isUnique: whether all entries must be different.
    public init(items: Schema, count: some BoundsExpression<Int> = 0..., isUnique: Bool = false) {
      self.items = items
      self.count = count.bounds.ofCount
      self.isUnique = isUnique
    }
  }

  /// One of the values to choose from.
  public struct Choice: Sendable, Hashable {
    /// A string, number or Boolean.
    public var value: JSONValue
    /// The title that the user reads; nil to show the value itself.
    public var title: String? { didSet { texts = SourceTexts() } }
    /// Keywords that describe the choice without constraining it, such as `description`, `deprecated` or `x-color`.
    public var annotations: [String: JSONValue]
    /// The text that the title comes from.
    var texts = SourceTexts()

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - value: a string, number or Boolean.
    ///   - title: the title that the user reads; nil to show the value itself.
    ///   - annotations: keywords that describe the choice without constraining it.
    public init(_ value: JSONValue, title: Text? = nil, annotations: [String: JSONValue] = [:]) {
      self.init(value, shown: title?.resolved(in: nil), annotations: annotations)
      texts = SourceTexts(title: title)
    }

    init(_ value: JSONValue, shown title: String?, annotations: [String: JSONValue]) {
      self.value = value
      self.title = title
      self.annotations = annotations
    }
  }

  /// The kind of value that is accepted.
  public var rule: Rule
  /// The label that the user reads. Required for properties.
  public var title: String? { didSet { texts = texts.with(title: nil) } }
  /// A sentence that explains the value.
  public var summary: String? { didSet { texts = texts.with(summary: nil) } }
  /// The value that renderers fill in initially. It is not added to a payload that omits the field.
  public var defaultValue: JSONValue?
  /// Whether the value is a secret (`writeOnly`), which is accepted but never returned.
  public var isSecret: Bool
  /// Keywords that describe the value without constraining it: `$schema`, `$id`, `$comment`, `examples`, `deprecated`,
  /// `readOnly`, the content keywords, and names that begin with `x-` or `ui:`. They are sent to renderers unchanged.
  public var annotations: [String: JSONValue]
  /// The texts that the title, the summary and the message come from.
  var texts = SourceTexts()

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - rule: the kind of value that is accepted.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - defaultValue: the value that renderers fill in initially.
  ///   - isSecret: whether the value is a secret.
  ///   - annotations: keywords that describe the value without constraining it.
  public init(
    _ rule: Rule, title: Text? = nil, summary: Text? = nil, defaultValue: JSONValue? = nil, isSecret: Bool = false,
    annotations: [String: JSONValue] = [:]
  ) {
    self.rule = rule
    self.title = title?.resolved(in: nil)
    self.summary = summary?.resolved(in: nil)
    texts = SourceTexts(title: title, summary: summary)
    self.defaultValue = defaultValue
    self.isSecret = isSecret
    self.annotations = annotations
  }

  /// The properties of an object, sorted by name; empty for any other schema.
  public var fields: [Field] { if case .object(let fields) = rule { fields } else { [] } }

  /// The names of the properties whose values are secrets.
  public var secretFields: Set<String> { Set(fields.lazy.filter(\.schema.isSecret).map(\.name)) }
}

/// The texts that the strings of a schema come from, so that they can be translated when a screen shows them.
///
/// A form is often a constant, created once for trees of all languages. Its strings are therefore English, and the texts are
/// stored next to them. Schemas with the same strings are equal regardless of their texts, so all values of this type are
/// equal.
struct SourceTexts: Sendable, Hashable {
  private final class Storage: Sendable {
    let title, summary, message: Text?

    init(_ title: Text?, _ summary: Text?, _ message: Text?) {
      (self.title, self.summary, self.message) = (title, summary, message)
    }
  }

  /// Stored separately, because schemas that clients read have no texts.
  private let storage: Storage?

  init(title: Text? = nil, summary: Text? = nil, message: Text? = nil) {
    let texts = [title, summary, message]
    storage = texts.contains { $0?.key != nil } ? Storage(title, summary, message) : nil
  }

  var title: Text? { storage?.title }
  var summary: Text? { storage?.summary }
  var message: Text? { storage?.message }

  func with(title: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }
  func with(summary: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }
  func with(message: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }

  static func == (one: SourceTexts, other: SourceTexts) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// The keywords of JSON Schema 2020-12.
enum Keyword {
  /// The only supported value of `$schema`.
  static let dialect: JSONValue = "https://json-schema.org/draft/2020-12/schema"

  static let examples = "examples"
  /// The conditions under which a field is shown.
  static let shownIf = "x-shown-if"
  /// Whether a field with conditions is required if it is shown.
  static let requiredIfShown = "x-required-if-shown"
  /// The name of the field that has the same value.
  static let sameAs = "x-same-as"
  /// The text for a broken rule.
  static let message = "x-message"
  static let purpose = "x-purpose"
  static let unit = "x-unit"
  static let multiline = "x-multiline"
  static let revealable = "x-revealable"

  /// Returns whether a keyword describes a schema without constraining it. Such keywords are stored and encoded again.
  static func isAnnotation(_ name: String) -> Bool {
    annotations.contains(name) || name.bytes.hasPrefix("x-") || name.bytes.hasPrefix("ui:")
  }

  /// Returns whether JSON Schema 2020-12 defines a keyword with this name; other names may be misspelled.
  static func isStandard(_ name: String) -> Bool { annotations.contains(name) || assertions.contains(name) }

  /// The keywords that require a `type` in the same schema.
  static let typed: Set = [
    "additionalProperties", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maximum",
    "minItems", "minLength", "minimum", "pattern", "properties", "required", "uniqueItems",
  ]

  /// The content vocabulary is among the annotations, because it asserts nothing in 2020-12 (section 8.2).
  private static let annotations: Set = [
    "$schema", "$id", "$comment", examples, "deprecated", "readOnly", "contentEncoding", "contentMediaType", "contentSchema",
  ]

  private static let assertions: Set = [
    "$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$ref", "$vocabulary", "additionalProperties", "allOf", "anyOf",
    "const", "contains", "default", "dependentRequired", "dependentSchemas", "description", "else", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties",
    "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
    "patternProperties", "prefixItems", "properties", "propertyNames", "required", "then", "title", "type",
    "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly",
  ]
}

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
    case Keyword.shownIf, Keyword.requiredIfShown, Keyword.sameAs: return .badAnnotation
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
