extension Schema {
  /// Decodes a schema that was received over D-Bus or read from a file.
  ///
  /// Annotations that do not constrain anything (`$comment`, `examples`, and names that begin with `x-` or `ui:`) are
  /// ignored. Any other unknown keyword is refused, so that no constraint or misspelled keyword is silently ignored.
  /// `additionalProperties` is false even if it is absent.
  ///
  /// - Parameter json: the schema in JSON Schema.
  /// - Throws: ``SchemaError`` for the first problem.
  public init(json: JSONValue) throws(SchemaError) {
    self = try SchemaReader.read(json, at: "", allowing: .anything)
    try validate()
  }
}

/// Consumes the keywords of one schema one after the other; any that remain are unknown.
private struct SchemaReader {
  /// What is allowed at a place. The recursion terminates because each place allows less than its parent.
  enum Place {
    case anything, property, item
  }

  private var keywords: [String: JSONValue]
  private let pointer: String

  static func read(_ json: JSONValue, at pointer: String, allowing place: Place) throws(SchemaError) -> Schema {
    guard let keywords = json.object else { throw SchemaError(at: pointer, .malformed(expected: "an object")) }
    var reader = SchemaReader(keywords: keywords.filter { !$0.value.isNull }, pointer: pointer)
    let title = try reader.text("title")
    let summary = try reader.text("description")
    let defaultValue = reader.keywords.removeValue(forKey: "default")
    let isSecret = try reader.flag("writeOnly")
    let rule = try reader.rule(place)
    try reader.refuseRest()
    return Schema(rule, title: title, summary: summary, defaultValue: defaultValue, isSecret: isSecret)
  }

  private mutating func rule(_ place: Place) throws(SchemaError) -> Schema.Rule {
    let type = try text("type")
    if let choices = try choices(type: type) { return .choice(choices) }
    switch type {
    case "string": return .text(try textRule())
    case "integer": return .integer(try integerBounds())
    case "number": return .number(try bounds("an integer or a number") { $0.number })
    case "boolean": return .boolean
    case "array" where place != .item: return .list(try listRule())
    case "object" where place == .anything: return .object(try fields())
    case nil: throw error("type", .malformed(expected: "present"))
    default: throw error("type", .unsupportedType)
    }
  }

  // MARK: Rules

  private mutating func textRule() throws(SchemaError) -> Schema.TextRule {
    let length = try counts("minLength", "maxLength")
    var pattern: Pattern?
    if let source = try text("pattern") {
      do throws(PatternError) {
        pattern = try Pattern(compiling: source)
      } catch {
        throw self.error("pattern", .badPattern(error))
      }
    }
    var format: Schema.Format?
    if let name = try text("format") {
      format = Schema.Format(rawValue: name)
      guard format != nil else { throw error("format", .unsupportedFormat(name)) }
    }
    return Schema.TextRule(length: length, pattern: pattern, format: format)
  }

  private mutating func listRule() throws(SchemaError) -> Schema.ListRule {
    guard let items = keywords.removeValue(forKey: "items") else { throw error("items", .malformed(expected: "present")) }
    return Schema.ListRule(
      items: try Self.read(items, at: pointer.pointing(to: "items"), allowing: .item),
      count: try counts("minItems", "maxItems"), isUnique: try flag("uniqueItems"))
  }

  private mutating func fields() throws(SchemaError) -> [Field] {
    let expected = SchemaError.Reason.malformed(expected: "an object")
    guard let properties = (keywords.removeValue(forKey: "properties") ?? [:]).object else { throw error("properties", expected) }
    guard try flag("additionalProperties") == false else { throw error("additionalProperties", .unsupportedKeyword) }
    let path = pointer.pointing(to: "properties")
    var required = try names("required")
    var fields: [Field] = []
    for (name, json) in properties.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      let schema = try Self.read(json, at: path.pointing(to: name), allowing: .property)
      fields.append(Field(name, schema, isRequired: required.remove(name) != nil))
    }
    if let name = required.min() { throw error("required", .unknownProperty(name)) }
    return fields
  }

  private mutating func choices(type: String?) throws(SchemaError) -> [Schema.Choice]? {
    let given = ["enum", "const", "oneOf"].filter { keywords[$0] != nil }
    guard let keyword = given.first, let value = keywords.removeValue(forKey: keyword) else { return nil }
    if given.count > 1 { throw error(given[1], .unsupportedKeyword) }
    var choices: [Schema.Choice]
    if keyword == "const" {
      choices = [Schema.Choice(value)]
    } else if let values = value.array {
      choices = values.map { Schema.Choice($0) }
    } else {
      throw error(keyword, .malformed(expected: "an array"))
    }
    let path = pointer.pointing(to: keyword)
    for (index, choice) in choices.enumerated() {
      if keyword == "oneOf" { choices[index] = try Self.choice(choice.value, at: path.pointing(to: String(index))) }
      let name = choices[index].value.typeName
      guard type == nil || type == name || (type == "number" && name == "integer") else {
        throw SchemaError(at: keyword == "const" ? path : path.pointing(to: String(index)), .badChoice)
      }
    }
    return choices
  }

  private static func choice(_ json: JSONValue, at pointer: String) throws(SchemaError) -> Schema.Choice {
    guard let keywords = json.object else { throw SchemaError(at: pointer, .malformed(expected: "an object")) }
    var reader = SchemaReader(keywords: keywords.filter { !$0.value.isNull }, pointer: pointer)
    let title = try reader.text("title")
    guard let value = reader.keywords.removeValue(forKey: "const") else {
      throw reader.error("const", .malformed(expected: "present"))
    }
    try reader.refuseRest()
    return Schema.Choice(value, title: title)
  }

  // MARK: Keywords

  private mutating func text(_ keyword: String) throws(SchemaError) -> String? {
    guard let value = keywords.removeValue(forKey: keyword) else { return nil }
    guard let text = value.string else { throw error(keyword, .malformed(expected: "a string")) }
    return text
  }

  private mutating func flag(_ keyword: String) throws(SchemaError) -> Bool {
    guard let value = keywords.removeValue(forKey: keyword) else { return false }
    guard let flag = value.boolean else { throw error(keyword, .malformed(expected: "true or false")) }
    return flag
  }

  private mutating func names(_ keyword: String) throws(SchemaError) -> Set<String> {
    guard let value = keywords.removeValue(forKey: keyword) else { return [] }
    let names = value.array?.compactMap(\.string)
    guard let names, names.count == value.array?.count else {
      throw error(keyword, .malformed(expected: "an array of strings"))
    }
    return Set(names)
  }

  private mutating func counts(_ minimum: String, _ maximum: String) throws(SchemaError) -> Bounds<Int> {
    Bounds(lower: try count(minimum).map { .inclusive($0) }, upper: try count(maximum).map { .inclusive($0) })
  }

  private mutating func count(_ keyword: String) throws(SchemaError) -> Int? {
    guard let value = keywords.removeValue(forKey: keyword) else { return nil }
    guard let count = value.integer, count >= 0 else { throw error(keyword, .malformed(expected: "a non-negative integer")) }
    return Int(clamping: count)
  }

  /// Converts exclusive limits to inclusive ones, which is possible for integers.
  private mutating func integerBounds() throws(SchemaError) -> Bounds<Int64> {
    let bounds = try bounds("an integer") { $0.integer }
    let lower = bounds.lower.map { $0.value.addingReportingOverflow($0.isExclusive ? 1 : 0) }
    let upper = bounds.upper.map { $0.value.subtractingReportingOverflow($0.isExclusive ? 1 : 0) }
    if lower?.overflow ?? false || upper?.overflow ?? false { throw SchemaError(at: pointer, .emptyBounds) }
    return Bounds(lower: lower.map { .inclusive($0.partialValue) }, upper: upper.map { .inclusive($0.partialValue) })
  }

  private mutating func bounds<Value: Comparable>(
    _ expected: String, _ number: (JSONValue) -> Value?
  ) throws(SchemaError) -> Bounds<Value> {
    var limits: [String: Value] = [:]
    for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
      guard let value = keywords.removeValue(forKey: keyword) else { continue }
      guard let limit = number(value) else { throw error(keyword, .malformed(expected: expected)) }
      limits[keyword] = limit
    }
    // The greater of two lower limits and the lesser of two upper limits applies; of equal limits, the exclusive one.
    let lowers = [limits["minimum"].map(Bounds.Limit.inclusive), limits["exclusiveMinimum"].map(Bounds.Limit.exclusive)]
    let uppers = [limits["maximum"].map(Bounds.Limit.inclusive), limits["exclusiveMaximum"].map(Bounds.Limit.exclusive)]
    return Bounds(
      lower: lowers.compactMap(\.self).reversed().max { $0.value < $1.value },
      upper: uppers.compactMap(\.self).reversed().min { $0.value < $1.value })
  }

  private func refuseRest() throws(SchemaError) {
    let annotations: Set = ["$schema", "$id", "$comment", "examples", "deprecated"]
    let rest = keywords.keys.filter { !annotations.contains($0) && !$0.hasPrefix("x-") && !$0.hasPrefix("ui:") }
    if let keyword = rest.min() { throw error(keyword, .unsupportedKeyword) }
  }

  private func error(_ keyword: String, _ reason: SchemaError.Reason) -> SchemaError {
    SchemaError(at: pointer.pointing(to: keyword), reason)
  }
}
