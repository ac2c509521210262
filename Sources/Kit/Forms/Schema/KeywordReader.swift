/// Consumes the keywords of one schema one after the other; remaining keywords are refused.
struct KeywordReader {
  private(set) var keywords: [String: JSONValue]
  let pointer: String

  init(_ json: JSONValue, at pointer: String) throws(SchemaError) {
    guard let keywords = json.object else { throw SchemaError(at: pointer, .malformed(expected: "an object")) }
    self.keywords = keywords
    self.pointer = pointer
  }

  /// Removes the keywords whose value is null, which means an absent value for every keyword but `const`.
  mutating func dropNulls() throws(SchemaError) {
    if keywords["const"]?.isNull == true { throw error("const", .badChoice) }
    keywords = keywords.filter { !$0.value.isNull }
  }

  func error(_ keyword: String, _ reason: SchemaError.Reason) -> SchemaError {
    SchemaError(at: pointer.pointing(to: keyword), reason)
  }

  /// Throws if a keyword has not been consumed.
  func refuseRest() throws(SchemaError) {
    guard let keyword = keywords.keys.min() else { return }
    throw error(keyword, Keyword.isStandard(keyword) ? .unsupportedKeyword : .unknownKeyword)
  }

  // MARK: Any keyword

  mutating func take(_ keyword: String) -> JSONValue? { keywords.removeValue(forKey: keyword) }

  /// Removes the annotations and returns them.
  mutating func takeAnnotations() throws(SchemaError) -> [String: JSONValue] {
    // In another dialect, the same keywords may have another meaning, or none.
    if let dialect = keywords["$schema"], dialect != Keyword.dialect { throw error("$schema", .unsupportedDialect) }
    let annotations = keywords.filter { Keyword.isAnnotation($0.key) }
    if !annotations.isEmpty { keywords = keywords.filter { !Keyword.isAnnotation($0.key) } }
    return annotations
  }

  mutating func text(_ keyword: String) throws(SchemaError) -> String? {
    guard let value = take(keyword) else { return nil }
    guard let text = value.string else { throw error(keyword, .malformed(expected: "a string")) }
    return text
  }

  mutating func flag(_ keyword: String) throws(SchemaError) -> Bool {
    guard let value = take(keyword) else { return false }
    guard let flag = value.boolean else { throw error(keyword, .malformed(expected: "true or false")) }
    return flag
  }

  mutating func names(_ keyword: String) throws(SchemaError) -> Set<String> {
    guard let value = take(keyword) else { return [] }
    let names = value.array?.compactMap(\.string)
    guard let names, names.count == value.array?.count else {
      throw error(keyword, .malformed(expected: "an array of strings"))
    }
    return Set(names)
  }

  // MARK: Strings, counts and numbers

  mutating func textRule() throws(SchemaError) -> Schema.TextRule {
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

  mutating func counts(_ minimum: String, _ maximum: String) throws(SchemaError) -> Bounds<Int> {
    Bounds(lower: try count(minimum).map { .inclusive($0) }, upper: try count(maximum).map { .inclusive($0) })
  }

  private mutating func count(_ keyword: String) throws(SchemaError) -> Int? {
    guard let value = take(keyword) else { return nil }
    guard let count = value.integer, count >= 0 else { throw error(keyword, .malformed(expected: "a non-negative integer")) }
    return Int(clamping: count)
  }

  mutating func numberBounds() throws(SchemaError) -> Bounds<Double> { try bounds("an integer or a number") { $0.number } }

  /// Converts exclusive limits to inclusive ones, which is possible for integers.
  mutating func integerBounds() throws(SchemaError) -> Bounds<Int64> {
    let bounds = try bounds("an integer") { $0.integer }
    let lower = bounds.lower.map { $0.value.addingReportingOverflow($0.isExclusive ? 1 : 0) }
    let upper = bounds.upper.map { $0.value.subtractingReportingOverflow($0.isExclusive ? 1 : 0) }
    if lower?.overflow ?? false { throw error("exclusiveMinimum", .emptyBounds) }
    if upper?.overflow ?? false { throw error("exclusiveMaximum", .emptyBounds) }
    return Bounds(lower: lower.map { .inclusive($0.partialValue) }, upper: upper.map { .inclusive($0.partialValue) })
  }

  private mutating func bounds<Value: Comparable>(
    _ expected: String, _ number: (JSONValue) -> Value?
  ) throws(SchemaError) -> Bounds<Value> {
    var limits: [String: Value] = [:]
    for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
      guard let value = take(keyword) else { continue }
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
}
