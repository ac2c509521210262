import CoordinatorKit

/// A small set of different payloads that a form accepts: each value of a choice, the shortest and the longest string,
/// the smallest and the largest number, and optional fields both present and absent. Fields that are not shown are left
/// out.
package struct PayloadCandidates {
  let form: Form
  /// The values that the screen has filled in.
  let values: [String: JSONValue]
  /// The number of payloads up to which all combinations are tried; beyond it, the fields are varied one at a time.
  var mostCombinations: Int

  /// Creates the payloads for a form on a screen that has filled in values.
  package init(form: Form, values: [String: JSONValue], mostCombinations: Int = 8) {
    self.form = form
    self.values = values
    self.mostCombinations = mostCombinations
  }

  /// The payloads, beginning with the one that keeps all initial values; empty if no value is known for some field.
  package var payloads: [[String: JSONValue]] {
    let options = form.fields.map { field in
      let known = field.schema.candidates(filledIn: values[field.name]).map { Optional($0) }
      // A field that is shown at times may have no known value: then only payloads without it are tried.
      let isNeeded = field.isRequired || field.isRequiredIfShown && !known.isEmpty
      return Option(name: field.name, values: isNeeded ? known : known + [nil])
    }
    guard options.allSatisfy({ !$0.values.isEmpty }) else { return [] }
    let count = options.reduce(1) { min($0 * $1.values.count, mostCombinations + 1) }
    let payloads = count > mostCombinations ? oneAtATime(options) : combinations(options)
    guard form.fields.contains(where: { !$0.conditions.isEmpty || $0.repeated != nil }) else { return payloads }
    return fitting(payloads)
  }

  /// Returns the payloads without the values of fields that are not shown, and with repeated values: each once, and only those
  /// that are valid.
  private func fitting(_ payloads: [[String: JSONValue]]) -> [[String: JSONValue]] {
    let schema = form.schema
    var known: Set<[String: JSONValue]> = []
    return payloads.compactMap { payload in
      var payload = payload
      for field in form.fields { if let repeated = field.repeated { payload[field.name] = payload[repeated] } }
      let names = schema.shownFields(in: payload)
      payload = payload.filter { names.contains($0.key) }
      return known.insert(payload).inserted && schema.check(payload).isEmpty ? payload : nil
    }
  }

  private struct Option {
    let name: String
    /// The possible values of the field; nil stands for omitting it.
    let values: [JSONValue?]
  }

  private func combinations(_ options: [Option]) -> [[String: JSONValue]] {
    options.reduce([[:]]) { payloads, option in
      payloads.flatMap { payload in
        option.values.map { value in payload.merging(value.map { [option.name: $0] } ?? [:]) { $1 } }
      }
    }
  }

  private func oneAtATime(_ options: [Option]) -> [[String: JSONValue]] {
    var first: [String: JSONValue] = [:]
    for option in options { first[option.name] = option.values.first ?? nil }
    let least = first.filter { name, _ in form.fields.contains { $0.name == name && $0.isRequiredIfShown } }
    var payloads = least == first ? [first] : [first, least]
    for option in options {
      for value in option.values.dropFirst() {
        var payload = first
        payload[option.name] = value
        if !payloads.contains(payload) { payloads.append(payload) }
      }
    }
    return payloads
  }
}

extension Schema {
  /// Returns a few values that the schema accepts.
  fileprivate func candidates(filledIn value: JSONValue?) -> [JSONValue] {
    var found: [JSONValue] = []
    let known = [value ?? examples.first, defaultValue].compactMap(\.self)
    for candidate in known + samples where !found.contains(candidate) {
      if accepts(candidate) { found.append(candidate) }
    }
    guard case .text(let rule) = rule, rule.pattern != nil else { return found }
    return Array(found.prefix(2))
  }

  private func accepts(_ value: JSONValue) -> Bool {
    if case .object = rule { return value.object.map { check($0).isEmpty } ?? false }
    return Schema.object(Field("value", self)).check(["value": value]).isEmpty
  }

  /// Returns a few entries of a list: with all fields, and with the required ones only.
  private static func samples(of fields: [Field]) -> [JSONValue] {
    PayloadCandidates(form: Form(fields), values: [:], mostCombinations: 1).payloads.prefix(2).map(JSONValue.object)
  }

  private var samples: [JSONValue] {
    switch rule {
    case .text(let rule): rule.samples.map { .string($0) }
    case .integer(let bounds): bounds.samples.map { .integer($0) }
    case .number(let bounds): bounds.samples.map { JSONValue($0) }
    case .boolean: [true, false]
    case .choice(let choices): choices.map(\.value)
    case .list(let rule): rule.samples
    case .object(let fields): Self.samples(of: fields)
    }
  }
}

extension Schema.TextRule {
  fileprivate var samples: [String] {
    if let example = format?.example { return [example] }
    let least = length.lower?.value ?? 0
    // A string without a declared maximum length is not tried at great lengths.
    let most = length.upper.map { min($0.value, 1_000) } ?? max(least, 4)
    guard pattern != nil else { return [least, most].map { String(repeating: "a", count: $0) } }
    let lengths = [least, most] + [1, 2, 3, 4, 5, 6, 8, 10, 12, 16].filter { (least...max(least, most)).contains($0) }
    return lengths.flatMap { length in ["1", "a", "A"].map { String(repeating: $0, count: length) } }
  }
}

extension Schema.ListRule {
  fileprivate var samples: [JSONValue] {
    let entries = items.candidates(filledIn: nil)
    let least = count.lower?.value ?? 0
    let repeated = (entries.first.map { Array(repeating: $0, count: least) }).map { [$0] } ?? []
    return ([[], Array(entries.prefix(least)), entries] + repeated + entries.map { [$0] }).map { .array($0) }
  }
}

extension Bounds<Int64> {
  /// The smallest and the largest number; a missing bound is replaced by the number next to the other bound.
  fileprivate var samples: [Int64] {
    let least = lower.map { $0.isExclusive ? $0.value &+ 1 : $0.value }
    let most = upper.map { $0.isExclusive ? $0.value &- 1 : $0.value }
    return [least ?? most.map { $0 &- 1 } ?? 0, most ?? least.map { $0 &+ 1 } ?? 1]
  }
}

extension Bounds<Double> {
  /// Both bounds, in case they are inclusive, and a number between them.
  fileprivate var samples: [Double] {
    let least = lower?.value ?? upper.map { $0.value - 1 } ?? 0
    let most = upper?.value ?? least + 1
    return [least, most, least + (most - least) / 2]
  }
}
