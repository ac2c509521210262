import Languages

/// A range with optional limits, each of which may be inclusive or exclusive.
public struct Bounds<Value: Comparable> {
  /// A limit of a range.
  public enum Limit {
    /// The last allowed value.
    case inclusive(Value)
    /// The first value that is not allowed.
    case exclusive(Value)

    package var value: Value {
      switch self {
      case .inclusive(let value), .exclusive(let value): value
      }
    }

    package var isExclusive: Bool { if case .exclusive = self { true } else { false } }
  }

  /// The lower limit; nil if there is none.
  public var lower: Limit?
  /// The upper limit; nil if there is none.
  public var upper: Limit?

  /// Creates bounds.
  ///
  /// - Parameters:
  ///   - lower: the lower limit; nil if there is none.
  ///   - upper: the upper limit; nil if there is none.
  public init(lower: Limit? = nil, upper: Limit? = nil) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether no value lies within the bounds.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.isExclusive || upper.isExclusive ? !(lower.value < upper.value) : !(lower.value <= upper.value)
  }

  /// Returns whether `value` lies within the bounds; always false for NaN.
  public func contains(_ value: Value) -> Bool {
    switch lower {
    case .inclusive(let limit): guard value >= limit else { return false }
    case .exclusive(let limit): guard value > limit else { return false }
    case nil: break
    }
    return switch upper {
    case .inclusive(let limit): value <= limit
    case .exclusive(let limit): value < limit
    case nil: true
    }
  }
}

extension Bounds: Sendable where Value: Sendable {}
extension Bounds: Equatable {}
extension Bounds: Hashable where Value: Hashable {}
extension Bounds.Limit: Sendable where Value: Sendable {}
extension Bounds.Limit: Equatable {}
extension Bounds.Limit: Hashable where Value: Hashable {}

/// An expression for bounds in the source of a flow: `1...64`, `1...` or `...64`.
///
/// ```swift
/// Field("name", .string(title: "Name", length: 1...32))
/// ```
public protocol BoundsExpression<Bound> {
  /// The type of the bounded values: `Int` for counts and lengths, `Int64` or `Double` for numbers.
  ///
  /// ```swift
  /// func integer(range: some BoundsExpression<Int64>) -> Bounds<Int64> { range.bounds }
  /// ```
  associatedtype Bound: Comparable
  /// The bounds that the expression denotes.
  var bounds: Bounds<Bound> { get }
}

extension Bounds: BoundsExpression {
  /// The value itself.
  public var bounds: Bounds<Value> { self }
}

extension ClosedRange: BoundsExpression {
  /// Bounds that include both ends of the range.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound), upper: .inclusive(upperBound)) }
}

extension PartialRangeFrom: BoundsExpression {
  /// Bounds without an upper limit.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound)) }
}

extension PartialRangeThrough: BoundsExpression {
  /// Bounds without a lower limit.
  public var bounds: Bounds<Bound> { Bounds(upper: .inclusive(upperBound)) }
}

extension Bounds {
  /// The bounds in words: "1 to 64", "at least 3", "more than 0".
  func words(_ text: (Value) -> String) -> Text {
    if case (.inclusive(let least), .inclusive(let most)) = (lower, upper) {
      if least == most { return Text(verbatim: text(least)) }
      return Text("{least} to {most}", ["least": text(least), "most": text(most)], context: "bounds")
    }
    let least = lower.map { bound in
      bound.isExclusive
        ? Text("more than {value}", ["value": text(bound.value)], context: "bounds")
        : Text("at least {value}", ["value": text(bound.value)], context: "bounds")
    }
    let most = upper.map { bound in
      bound.isExclusive
        ? Text("less than {value}", ["value": text(bound.value)], context: "bounds")
        : Text("at most {value}", ["value": text(bound.value)], context: "bounds")
    }
    guard let least, let most else { return least ?? most ?? Text(verbatim: "") }
    return Text("{least} and {most}", ["least": least, "most": most], context: "bounds")
  }

  /// Returns the reason why a number is outside of the bounds, to be read after the title of its field.
  ///
  /// - Parameters:
  ///   - unit: the unit of the number, if it has one.
  ///   - text: returns a bound as readers write it.
  /// - Returns: the reason, such as "must be 1 to 64 GB".
  func reason(unit: String?, _ text: (Value) -> String) -> String {
    // TRANSLATORS: The bounds are such as "1 to 64", "at least 3" and "more than 0".
    guard let unit else { return Text("must be {bounds}", ["bounds": words(text)]).string }
    return Text("must be {bounds} {unit}", ["bounds": words(text), "unit": unit]).string
  }
}

extension Bounds<Int> {
  /// The bound of a count that selects singular or plural.
  var plural: Int { upper?.value ?? lower?.value ?? 0 }

  /// The bounds of a count in words: "1 to 64".
  var words: Text { words { String($0) } }
}

extension Schema {
  /// The schema in JSON Schema 2020-12, as it is sent over D-Bus.
  public var json: JSONValue {
    var keywords = annotations
    keywords["title"] = title.map(JSONValue.string)
    keywords["description"] = summary.map(JSONValue.string)
    keywords["default"] = defaultValue
    if isSecret { keywords["writeOnly"] = true }
    keywords["type"] = rule.typeName.map(JSONValue.string)
    keywords.merge(rule.keywords) { $1 }
    return .object(keywords)
  }
}

extension Schema.Rule {
  /// The value of the keyword `type`; nil for choices of several types.
  var typeName: String? {
    switch self {
    case .text: "string"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .list: "array"
    case .object: "object"
    case .choice(let choices): Self.typeName(of: choices)
    }
  }

  private static func typeName(of choices: [Schema.Choice]) -> String? {
    let names = Set(choices.map { $0.value.typeName })
    if names == ["integer", "number"] { return "number" }
    return names.count == 1 ? names.first ?? nil : nil
  }

  fileprivate var keywords: [String: JSONValue] {
    switch self {
    case .text(let rule): rule.keywords
    case .integer(let bounds): bounds.keywords { .integer($0) }
    case .number(let bounds): bounds.keywords { JSONValue($0) }
    case .boolean: [:]
    case .choice(let choices): Self.keywords(of: choices)
    case .list(let rule): rule.keywords
    case .object(let fields): Self.keywords(of: fields)
    }
  }

  private static func keywords(of choices: [Schema.Choice]) -> [String: JSONValue] {
    if choices.allSatisfy({ $0.title == nil && $0.annotations.isEmpty }) { return ["enum": .array(choices.map(\.value))] }
    let entries = choices.map { choice in
      var entry = choice.annotations
      entry["const"] = choice.value
      entry["title"] = choice.title.map(JSONValue.string)
      return JSONValue.object(entry)
    }
    return ["oneOf": .array(entries)]
  }

  private static func keywords(of fields: [Field]) -> [String: JSONValue] {
    let properties = Dictionary(fields.map { ($0.name, $0.json) }, uniquingKeysWith: { first, _ in first })
    let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
    var keywords: [String: JSONValue] = ["properties": .object(properties), "additionalProperties": false]
    if !required.isEmpty { keywords["required"] = .array(required) }
    return keywords
  }
}

extension Field {
  /// The schema of the value, with the keywords that concern the field.
  fileprivate var json: JSONValue {
    guard !conditions.isEmpty || repeated != nil, case .object(var keywords) = schema.json else { return schema.json }
    if !conditions.isEmpty {
      keywords[Keyword.shownIf] = conditions.json
      if isRequiredIfShown { keywords[Keyword.requiredIfShown] = true }
    }
    keywords[Keyword.sameAs] = repeated.map(JSONValue.string)
    return .object(keywords)
  }
}

extension Schema.TextRule {
  fileprivate var keywords: [String: JSONValue] {
    var keywords = length.keywords(named: "minLength", "maxLength")
    keywords["pattern"] = (pattern?.source).map(JSONValue.string)
    keywords["format"] = (format?.rawValue).map(JSONValue.string)
    return keywords
  }
}

extension Schema.ListRule {
  fileprivate var keywords: [String: JSONValue] {
    var keywords = count.keywords(named: "minItems", "maxItems")
    keywords["items"] = items.json
    if isUnique { keywords["uniqueItems"] = true }
    return keywords
  }
}

extension Bounds {
  fileprivate func keywords(_ json: (Value) -> JSONValue) -> [String: JSONValue] {
    var keywords: [String: JSONValue] = [:]
    if let lower { keywords[lower.isExclusive ? "exclusiveMinimum" : "minimum"] = json(lower.value) }
    if let upper { keywords[upper.isExclusive ? "exclusiveMaximum" : "maximum"] = json(upper.value) }
    return keywords
  }
}

extension Bounds<Int> {
  fileprivate func keywords(named minimum: String, _ maximum: String) -> [String: JSONValue] {
    var keywords: [String: JSONValue] = [:]
    keywords[minimum] = (lower?.value).map { .integer(Int64($0)) }
    keywords[maximum] = (upper?.value).map { .integer(Int64($0)) }
    return keywords
  }

  /// The same bounds for a count: with inclusive limits, and without a lower limit of 0.
  var ofCount: Bounds<Int> {
    let least = lower.map { $0.isExclusive ? $0.value.advancedUnlessLast(by: 1) : $0.value } ?? 0
    let most = upper.map { $0.isExclusive ? $0.value.advancedUnlessLast(by: -1) : $0.value }
    return Bounds(lower: least > 0 ? .inclusive(least) : nil, upper: most.map { .inclusive(max($0, -1)) })
  }
}

extension Int {
  fileprivate func advancedUnlessLast(by step: Int) -> Int {
    let (result, overflow) = addingReportingOverflow(step)
    return overflow ? self : result
  }
}

extension JSONValue {
  /// The name of the value's type in JSON Schema. A number without a fraction is an integer.
  var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number(let number): Int64(exactly: number) == nil ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
