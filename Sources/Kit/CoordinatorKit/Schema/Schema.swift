/// What a value must look like: the subset of JSON Schema 2020-12 that forms, inputs and payloads need.
///
/// The outermost schema is an object of named properties, which are texts, numbers, booleans, choices, or lists of those. Objects
/// are closed: a key that is not among the properties is an error.
public struct Schema: Sendable, Hashable {
  /// What kind of value is accepted.
  public enum Rule: Sendable, Hashable {
    /// A text.
    case text(TextRule)
    /// A number without a fraction.
    case integer(Bounds<Int64>)
    /// A finite number.
    case number(Bounds<Double>)
    /// True or false.
    case boolean
    /// One of these values.
    case choice([Choice])
    /// A list of texts, numbers, booleans or choices.
    indirect case list(ListRule)
    /// These fields, sorted by name, and no others.
    case object([Field])
  }

  /// What a text must look like.
  public struct TextRule: Sendable, Hashable {
    /// How many characters it may have, counted in code points.
    public var length: Bounds<Int>
    /// What it must contain; `^` and `$` tie that to its ends.
    public var pattern: Pattern?
    /// What it stands for.
    public var format: Format?

    /// - Parameters:
    ///   - length: how many characters it may have, counted in code points.
    ///   - pattern: what it must contain.
    ///   - format: what it stands for.
    public init(length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil, format: Format? = nil) {
      self.length = length.bounds.ofCount
      self.pattern = pattern
      self.format = format
    }
  }

  /// What a text stands for.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// The address of a mailbox, as mail servers know it, in ASCII. Checked.
    case email
    /// Not to be shown while it is typed.
    case password
  }

  /// What a list may hold.
  public struct ListRule: Sendable, Hashable {
    /// What each of its entries must look like; neither a list nor an object.
    public var items: Schema
    /// How many entries it may have.
    public var count: Bounds<Int>
    /// Whether two entries may not be the same.
    public var isUnique: Bool

    /// - Parameters:
    ///   - items: what each entry must look like; neither a list nor an object.
    ///   - count: how many entries it may have.
    ///   - isUnique: whether two entries may not be the same.
    public init(items: Schema, count: some BoundsExpression<Int> = 0..., isUnique: Bool = false) {
      self.items = items
      self.count = count.bounds.ofCount
      self.isUnique = isUnique
    }
  }

  /// One of the values to choose from.
  public struct Choice: Sendable, Hashable {
    /// A text, a number or a boolean.
    public var value: JSONValue
    /// What its user reads; nil if the value speaks for itself.
    public var title: String?

    /// - Parameters:
    ///   - value: a text, a number or a boolean.
    ///   - title: what its user reads; nil if the value speaks for itself.
    public init(_ value: JSONValue, title: String? = nil) {
      self.value = value
      self.title = title
    }
  }

  /// What kind of value is accepted.
  public var rule: Rule
  /// What its user reads beside it. Every property has one.
  public var title: String?
  /// A sentence that explains it.
  public var summary: String?
  /// What a renderer fills in when nothing else is known. It is not filled in for a payload that leaves the field out.
  public var defaultValue: JSONValue?
  /// Whether the value is a secret (`writeOnly`): taken, and never given back.
  public var isSecret: Bool

  /// - Parameters:
  ///   - rule: what kind of value is accepted.
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - defaultValue: what a renderer fills in when nothing else is known.
  ///   - isSecret: whether the value is a secret.
  public init(
    _ rule: Rule, title: String? = nil, summary: String? = nil, defaultValue: JSONValue? = nil, isSecret: Bool = false
  ) {
    self.rule = rule
    self.title = title
    self.summary = summary
    self.defaultValue = defaultValue
    self.isSecret = isSecret
  }

  /// The properties of an object, sorted by name; none of any other schema.
  public var fields: [Field] { if case .object(let fields) = rule { fields } else { [] } }

  /// The names of the properties whose values are secrets.
  public var secretFields: Set<String> { Set(fields.lazy.filter(\.schema.isSecret).map(\.name)) }
}
