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
    if let error = pattern.error { throw SchemaError(at: pointer, .badPattern(error)) }
    // The pattern is matched only against strings that have the length and the format.
    let limits = [length.ofCount.upper?.value, format?.maximumLength, Schema.longestText].compactMap(\.self)
    let longest = limits.min() ?? Schema.longestText
    let scalars = min(longest * times, Schema.longestText) + min(times, Schema.longestText)
    guard scalars * pattern.stepsPerScalar <= Schema.maximumSteps else { throw SchemaError(at: pointer, .costlyPattern) }
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
