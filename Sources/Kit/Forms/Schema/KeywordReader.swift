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
        throw self.error("pattern", .badPattern(error, in: source))
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

extension Schema {
  /// The assumed length, in code points, of a string without `maxLength`: the maximum that a payload can contain.
  static let longestText = 1 << 20
  /// The maximum number of steps that a pattern may take over the strings of one field: about two seconds.
  static let maximumSteps = 1 << 27

  /// Throws if payloads cannot be checked against the schema, or not in bounded time.
  ///
  /// A flow's input is validated when the flow is added to a catalogue, and a form when its screen is computed; decoding a
  /// schema validates it. Checking a payload therefore never finds that the schema itself is invalid.
  ///
  /// - Throws: ``SchemaError`` for the first problem.
  public func validate() throws(SchemaError) {
    guard case .object(let fields) = rule else { return try validateValue(at: "", in: .form) }
    guard !isSecret else { throw SchemaError(at: "/writeOnly", .badSecret) }
    guard defaultValue == nil else { throw SchemaError(at: "/default", .unsupportedKeyword) }
    try annotations.validate(at: "")
    try validateMeanings(at: "")
    try validate(fields, at: "", entries: nil)
  }

  /// Validates the fields of an object: of a payload, or of the entries of a list.
  private func validate(_ fields: [Field], at pointer: String, entries: Int?) throws(SchemaError) {
    let pointer = pointer.pointing(to: "properties")
    if let field = fields.first(where: { $0.problem != nil }), let problem = field.problem {
      throw SchemaError(at: pointer.pointing(to: field.name), problem)
    }
    var names: Set<String> = []
    for field in fields {
      guard names.insert(field.name).inserted else { throw SchemaError(at: pointer, .duplicateProperty(field.name)) }
      let pointer = pointer.pointing(to: field.name)
      guard let title = field.schema.title, !title.isEmpty else { throw SchemaError(at: pointer, .missingTitle) }
      try field.schema.validateValue(at: pointer, in: entries == nil ? .form : .entry, entries: entries ?? 1)
    }
    try validateConditions(at: pointer)
    try validateRepetitions(at: pointer)
  }

  /// The place of a value: a field of the form, an entry of a list, or a field of an entry.
  private enum Place {
    case form, list, entry
  }

  private func validateValue(at pointer: String, in place: Place, entries: Int = 1) throws(SchemaError) {
    if isSecret && (place != .form || defaultValue != nil) { throw SchemaError(at: pointer, .badSecret) }
    try annotations.validate(at: pointer)
    try validateMeanings(at: pointer)
    switch rule {
    case .text(let rule): try rule.validate(at: pointer, times: entries)
    case .integer(let bounds): if bounds.isEmpty { throw SchemaError(at: pointer.pointing(to: "minimum"), .emptyBounds) }
    case .number(let bounds):
      let keyword = bounds.lower?.isExclusive == true ? "exclusiveMinimum" : "minimum"
      let ends = [bounds.lower, bounds.upper].compactMap { $0?.value }
      if bounds.isEmpty || !ends.allSatisfy(\.isFinite) { throw SchemaError(at: pointer.pointing(to: keyword), .emptyBounds) }
    case .boolean: break
    case .choice(let choices): try Self.validate(choices, at: pointer)
    case .list(let list):
      guard place == .form else { throw SchemaError(at: pointer, .unsupportedType) }
      guard !isSecret else { throw SchemaError(at: pointer, .badSecret) }
      guard !list.count.ofCount.isEmptyCount else { throw SchemaError(at: pointer.pointing(to: "minItems"), .emptyBounds) }
      let entries = (list.count.ofCount.upper?.value).map { min($0, Self.longestText) } ?? Self.longestText
      try list.items.validateValue(at: pointer.pointing(to: "items"), in: .list, entries: entries)
    case .object(let fields):
      guard place == .list else { throw SchemaError(at: pointer, .unsupportedType) }
      guard defaultValue == nil else { throw SchemaError(at: pointer.pointing(to: "default"), .unsupportedKeyword) }
      try validate(fields, at: pointer, entries: entries)
    }
    if let defaultValue, let problem = firstProblem(with: defaultValue) {
      throw SchemaError(at: pointer.pointing(to: "default"), .badDefault(problem))
    }
  }

  private static func validate(_ choices: [Choice], at pointer: String) throws(SchemaError) {
    guard !choices.isEmpty else { throw SchemaError(at: pointer, .noChoices) }
    var seen: Set<[UInt8]> = []
    for choice in choices {
      try choice.annotations.filter { $0.key != "description" }.validate(at: pointer)
      switch choice.value {
      case .null, .array, .object: throw SchemaError(at: pointer, .badChoice)
      case .number(let number) where !number.isFinite: throw SchemaError(at: pointer, .badChoice)
      default: guard seen.insert(choice.value.identity).inserted else { throw SchemaError(at: pointer, .badChoice) }
      }
    }
  }
}

extension Schema.TextRule {
  /// Validates the rule for a place that may contain up to `times` strings.
  fileprivate func validate(at pointer: String, times: Int) throws(SchemaError) {
    guard !length.ofCount.isEmptyCount else { throw SchemaError(at: pointer.pointing(to: "minLength"), .emptyBounds) }
    guard let pattern else { return }
    let pointer = pointer.pointing(to: "pattern")
    if let error = pattern.error { throw SchemaError(at: pointer, .badPattern(error, in: pattern.source)) }
    // The pattern is matched only against strings that have the length and the format.
    let limits = [length.ofCount.upper?.value, format?.maximumLength, Schema.longestText].compactMap(\.self)
    let longest = limits.min() ?? Schema.longestText
    let scalars = min(longest * times, Schema.longestText) + min(times, Schema.longestText)
    guard scalars * pattern.stepsPerScalar <= Schema.maximumSteps else {
      throw SchemaError(at: pointer, .costlyPattern(pattern.source))
    }
  }
}

extension Bounds<Int> {
  fileprivate var isEmptyCount: Bool { isEmpty || (upper?.value ?? 0) < 0 }
}

extension [String: JSONValue] {
  /// The maximum nesting depth of an annotation. A deeper one could exceed the limits of a message.
  private static var maximumDepth: Int { 8 }

  /// Validates annotations.
  fileprivate func validate(at pointer: String) throws(SchemaError) {
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      // The depth is checked first, because the other check is recursive.
      guard Keyword.isAnnotation(name), value.depth <= Self.maximumDepth, value.canBeSent else {
        throw SchemaError(at: pointer.pointing(to: name), .badAnnotation)
      }
    }
  }
}

extension Schema {
  /// Returns the names of the fields that are shown for some values of the form, in time linear in the size of the
  /// form.
  ///
  /// - Parameter values: the values, by field. They need not be valid or complete.
  /// - Returns: the names of the fields without conditions, and of those whose conditions hold.
  public func shownFields(in values: [String: JSONValue]) -> Set<String> {
    Set(fields.lazy.map(\.name)).subtracting(hiddenFields(in: values))
  }

  /// Returns the names of the fields whose conditions do not all hold.
  ///
  /// A condition on a field that the schema does not have holds, so that renderers can check one field alone. Fields
  /// with cyclic conditions, which `validate()` refuses, are hidden.
  func hiddenFields(in values: [String: JSONValue]) -> Set<String> {
    hiddenFields { condition in
      guard let value = values[condition.field], !value.isNull else { return false }
      return condition.values.contains { $0.isSameScalar(as: value) }
    }
  }

  /// Returns the names of the fields that are hidden. `holds` decides conditions on shown fields.
  private func hiddenFields(_ holds: (FieldCondition) -> Bool) -> Set<String> {
    guard fields.contains(where: { !$0.conditions.isEmpty }) else { return [] }
    let names = Set(fields.map(\.name))
    // A field is shown when its last unmet condition has been met, which may meet conditions of other fields.
    var unmet: [String: Int] = [:]
    var dependents: [String: [(name: String, condition: FieldCondition)]] = [:]
    for field in fields {
      for condition in field.conditions where names.contains(condition.field) {
        unmet[field.name, default: 0] += 1
        dependents[condition.field, default: []].append((field.name, condition))
      }
    }
    var shown = names.filter { unmet[$0] == nil }
    while let name = shown.popFirst() {
      for dependent in dependents[name] ?? [] where holds(dependent.condition) {
        let rest = (unmet[dependent.name] ?? 0) - 1
        unmet[dependent.name] = rest > 0 ? rest : nil
        if rest == 0 { shown.insert(dependent.name) }
      }
    }
    return Set(unmet.keys)
  }

  /// Validates the conditions of the fields.
  func validateConditions(at pointer: String) throws(SchemaError) {
    guard fields.contains(where: { !$0.conditions.isEmpty }) else { return }
    let known = Dictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    for field in fields where !field.conditions.isEmpty {
      let pointer = pointer.pointing(to: field.name).pointing(to: Keyword.shownIf)
      var names: Set<String> = []
      for condition in field.conditions {
        guard names.insert(condition.field).inserted else { throw SchemaError(at: pointer, .duplicateProperty(condition.field)) }
        guard let schema = known[condition.field] else { throw SchemaError(at: pointer, .unknownProperty(condition.field)) }
        guard schema.mayDecide, !condition.values.isEmpty, condition.values.allSatisfy({ schema.problem(with: $0) == nil }) else {
          throw SchemaError(at: pointer.pointing(to: condition.field), .impossibleCondition)
        }
      }
    }
    let cyclic = hiddenFields { _ in true }
    if let name = fields.first(where: { cyclic.contains($0.name) })?.name {
      throw SchemaError(at: pointer.pointing(to: name).pointing(to: Keyword.shownIf), .cyclicCondition)
    }
  }

  /// Whether other fields may depend on the value. They must not depend on a secret, because they would disclose it.
  private var mayDecide: Bool {
    switch rule {
    case .list, .object: false
    case .text, .integer, .number, .boolean, .choice: !isSecret
    }
  }
}
