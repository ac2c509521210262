extension Schema {
  /// Checks a payload, or a flow's input, in time linear in its size.
  ///
  /// A null is treated as an absent key. Unknown keys are reported under their own names. The reasons never repeat a
  /// value.
  ///
  /// - Parameter payload: the values, by field.
  /// - Returns: the reasons why fields are invalid, by field, as text for people ("must have 1 to 64 characters");
  ///   empty if the payload is valid.
  public func check(_ payload: [String: JSONValue]) -> [String: String] {
    var reasons: [String: String] = [:]
    var unknown = payload.filter { !$0.value.isNull }
    for field in fields {
      if let value = unknown.removeValue(forKey: field.name) {
        reasons[field.name] = field.schema.problem(with: value)
      } else if field.isRequired {
        reasons[field.name] = "is required"
      }
    }
    for name in unknown.keys { reasons[name] = "is not a known field" }
    return reasons
  }

  /// Checks a payload, and separates its secrets from the other values.
  ///
  /// - Parameter raw: the values, by field.
  /// - Returns: the values without nulls and with whole numbers as integers where the schema requires integers, and the
  ///   secrets.
  /// - Throws: ``InvalidPayload`` with a reason for each invalid field.
  public func accept(_ raw: [String: JSONValue]) throws(InvalidPayload) -> Payload {
    let reasons = check(raw)
    guard reasons.isEmpty else { throw InvalidPayload(fields: reasons) }
    var payload = Payload(values: raw)
    for field in fields {
      guard let value = payload.values[field.name] else { continue }
      if field.schema.isSecret {
        payload.values[field.name] = nil
        payload.secrets[field.name] = Secret(value.string ?? value.canonicalText)
      } else {
        payload.values[field.name] = field.schema.normalized(value)
      }
    }
    return payload
  }

  /// Returns why a value is invalid, without repeating the value; nil if it is valid.
  func problem(with value: JSONValue) -> String? {
    switch rule {
    case .text(let rule): rule.problem(with: value)
    case .integer(let bounds): Self.problem(with: value, bounds)
    case .number(let bounds): Self.problem(with: value, bounds)
    case .boolean: value.boolean == nil ? "must be true or false" : nil
    case .choice(let choices): Self.problem(with: value, choices)
    case .list(let rule): rule.problem(with: value)
    case .object: "is not supported here"
    }
  }

  private func normalized(_ value: JSONValue) -> JSONValue {
    switch (rule, value) {
    case (.integer, .number(let number)): JSONValue(number)
    case (.list(let rule), .array(let entries)): .array(entries.map(rule.items.normalized))
    default: value
    }
  }

  private static func problem(with value: JSONValue, _ bounds: Bounds<Int64>) -> String? {
    guard let integer = value.integer else {
      let isWhole = value.number.map { $0.isFinite && $0 == $0.rounded(.towardZero) } ?? false
      return isWhole ? "is too large a number" : "must be a whole number"
    }
    return bounds.contains(integer) ? nil : "must be \(bounds.words { String($0) })"
  }

  static func problem(with value: JSONValue, _ bounds: Bounds<Double>) -> String? {
    guard let number = value.number, number.isFinite else { return "must be a number" }
    return bounds.contains(number) ? nil : "must be \(bounds.words { JSONValue($0).canonicalText })"
  }

  private static func problem(with value: JSONValue, _ choices: [Choice]) -> String? {
    if choices.contains(where: { $0.value.isSameScalar(as: value) }) { return nil }
    let names = choices.map { $0.value.string ?? $0.value.canonicalText }
    return "is not one of: \(names.joined(separator: ", "))"
  }
}

extension Schema.TextRule {
  func problem(with value: JSONValue) -> String? {
    guard let text = value.string else { return "must be text" }
    let length = length.ofCount
    guard length.contains(text.unicodeScalars.count) else { return "must have \(length.words(of: "character"))" }
    if let format, !format.matches(text) { return format.refusal }
    if let pattern, !pattern.matches(text) { return "must match \(pattern)" }
    return nil
  }
}

extension Schema.ListRule {
  fileprivate func problem(with value: JSONValue) -> String? {
    guard let entries = value.array else { return "must be a list" }
    let count = count.ofCount
    guard count.contains(entries.count) else { return "must have \(count.words(of: "entry", "entries"))" }
    for (index, entry) in entries.enumerated() {
      if let problem = items.problem(with: entry) { return "entry \(index + 1) \(problem)" }
    }
    return isUnique && entries.haveEqualEntries ? "must not contain the same entry twice" : nil
  }
}

extension [JSONValue] {
  /// Whether two entries are equal in JSON Schema.
  var haveEqualEntries: Bool {
    var seen: Set<[UInt8]> = []
    return contains { !seen.insert($0.identity).inserted }
  }
}

extension JSONValue {
  /// A byte sequence that is the same for two values exactly if they are equal in JSON Schema: numbers by value,
  /// strings by code points, and null differs from an absent key. (Swift's `==` considers canonically equivalent
  /// strings equal.)
  var identity: [UInt8] { Array(text(omittingNulls: false).utf8) }

  /// Returns whether both are the same string, number or Boolean in JSON Schema.
  fileprivate func isSameScalar(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer, .integer), (.integer, .number), (.number, .integer): integer == other.integer
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }
}

extension Bounds {
  /// Returns the bounds in words: "1 to 64", "at least 3", "more than 0".
  fileprivate func words(_ text: (Value) -> String) -> String {
    switch (lower, upper) {
    case (.inclusive(let least), .inclusive(let most)): return least == most ? text(least) : "\(text(least)) to \(text(most))"
    default: break
    }
    let least = lower.map { $0.isExclusive ? "more than \(text($0.value))" : "at least \(text($0.value))" }
    let most = upper.map { $0.isExclusive ? "less than \(text($0.value))" : "at most \(text($0.value))" }
    return [least, most].compactMap { $0 }.joined(separator: " and ")
  }
}

extension Bounds<Int> {
  /// Returns the bounds of a count in words: "1 to 64 characters".
  fileprivate func words(of one: String, _ many: String? = nil) -> String {
    let isOne = upper?.value ?? lower?.value == 1
    return "\(words { String($0) }) \(isOne ? one : many ?? one + "s")"
  }
}
