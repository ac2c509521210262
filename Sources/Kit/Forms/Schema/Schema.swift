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
