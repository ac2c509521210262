import CoordinatorKit

extension Schema {
  /// Returns a random payload or input that the schema accepts, except that patterns are ignored.
  ///
  /// - Parameter generator: the source of randomness.
  /// - Returns: the values by field name.
  public func acceptedObject(using generator: inout some RandomNumberGenerator) -> [String: JSONValue] {
    var object: [String: JSONValue] = [:]
    // Any values are accepted for fields that are not shown.
    for field in fields where field.isRequiredIfShown || Bool.random(using: &generator) {
      object[field.name] = field.schema.acceptedValue(using: &generator)
    }
    return object
  }

  private func acceptedValue(using generator: inout some RandomNumberGenerator) -> JSONValue {
    switch rule {
    case .text(let rule): .string(rule.text(using: &generator))
    case .integer(let bounds): .integer(bounds.number(using: &generator))
    case .number(let bounds): JSONValue(bounds.lower?.value ?? bounds.upper?.value ?? 0.5)
    case .boolean: .boolean(.random(using: &generator))
    case .choice(let choices): choices.randomElement(using: &generator)?.value ?? .null
    case .list(let rule): .array(rule.entries(using: &generator))
    case .object: .object(acceptedObject(using: &generator))
    }
  }

  fileprivate func entry(using generator: inout some RandomNumberGenerator) -> JSONValue { acceptedValue(using: &generator) }
}

extension Schema.TextRule {
  /// Strings with a meaning for the built-in flows, and other strings.
  private static let texts = ["demo", "wrong", "a", "日", "user@example.org", "Ünïcode 🏳️‍🌈", "0", "1234"]

  fileprivate func text(using generator: inout some RandomNumberGenerator) -> String {
    if let example = format?.example { return example }
    let (least, most) = (length.lower?.value ?? 0, length.upper?.value ?? 1_000)
    let fitting = Self.texts.filter { (least...max(least, most)).contains($0.unicodeScalars.count) }
    if let text = fitting.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 { return text }
    let count = [least, most, min(least + 1, most)].randomElement(using: &generator) ?? least
    return String(repeating: Bool.random(using: &generator) ? "a" : "1", count: min(count, 10_000))
  }
}

extension Schema.ListRule {
  fileprivate func entries(using generator: inout some RandomNumberGenerator) -> [JSONValue] {
    let least = count.lower?.value ?? 0
    let most = max(least, min(count.upper?.value ?? 4, 100))
    let entries = (0..<Int.random(in: least...most, using: &generator)).map { _ in items.entry(using: &generator) }
    return isUnique ? Array(Set(entries)) : entries
  }
}

extension Bounds<Int64> {
  fileprivate func number(using generator: inout some RandomNumberGenerator) -> Int64 {
    let least = lower?.value ?? .min
    let most = max(least, upper?.value ?? .max)
    return [least, most, .random(in: least...most, using: &generator)].randomElement(using: &generator) ?? least
  }
}
