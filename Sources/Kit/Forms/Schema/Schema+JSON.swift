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
  /// The schema of the value, with the conditions of the field.
  fileprivate var json: JSONValue {
    guard !conditions.isEmpty, case .object(var keywords) = schema.json else { return schema.json }
    keywords[Keyword.shownIf] = conditions.json
    if isRequiredIfShown { keywords[Keyword.requiredIfShown] = true }
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
