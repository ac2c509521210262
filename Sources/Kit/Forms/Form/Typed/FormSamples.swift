/// Creates samples of payloads that a form accepts, without secrets.
struct FormSamples {
  private let fields: [Field]
  private let schema: Schema

  /// Creates samples of a valid form.
  init(_ fields: [Field]) {
    self.fields = fields.filter { !$0.schema.isSecret }
    schema = .object(self.fields)
  }

  /// The sample with as few values as possible, in which fields with conditions are hidden where possible; nil if no
  /// sample is found.
  var least: [String: JSONValue]? {
    var avoided: [String: [JSONValue]] = [:]
    for condition in fields.flatMap(\.conditions) { avoided[condition.field, default: []] += condition.values }
    return sample { field in
      let values = field.schema.samples
      return values.first { value in !(avoided[field.name] ?? []).contains { $0.isSameScalar(as: value) } } ?? values.first
    }
    .flatMap { sample in
      let shown = schema.shownFields(in: sample)
      return valid(
        sample.filter { name, _ in
          fields.contains { $0.name == name && $0.isRequiredIfShown && shown.contains(name) }
        })
    }
  }

  /// Samples with all values that are shown together, such that each field that can be shown is in one of them.
  var full: [[String: JSONValue]] {
    let conditional = fields.filter { !$0.conditions.isEmpty }.map(\.name)
    return ([nil] + conditional.map { $0 }).compactMap { target in
      let chosen = target.map(choices) ?? [:]
      return sample { chosen[$0.name] ?? $0.schema.samples.first }.flatMap { sample in
        valid(sample.filter { schema.shownFields(in: sample).contains($0.key) })
      }
    }
  }

  /// Returns the values of other fields with which a field is shown.
  private func choices(showing name: String) -> [String: JSONValue] {
    var chosen: [String: JSONValue] = [:]
    var open = [name]
    while let name = open.popLast() {
      for condition in fields.first(where: { $0.name == name })?.conditions ?? [] where chosen[condition.field] == nil {
        chosen[condition.field] = condition.values.first
        open.append(condition.field)
      }
    }
    return chosen
  }

  private func sample(_ value: (Field) -> JSONValue?) -> [String: JSONValue]? {
    var sample: [String: JSONValue] = [:]
    for field in fields { sample[field.name] = value(field) }
    return sample
  }

  private func valid(_ sample: [String: JSONValue]) -> [String: JSONValue]? { schema.check(sample).isEmpty ? sample : nil }
}

extension Schema {
  /// A few values that the schema accepts; empty if no guess matches the pattern.
  fileprivate var samples: [JSONValue] { guesses.filter { check(alone: $0) } }

  private var guesses: [JSONValue] {
    switch rule {
    case .text(let rule):
      let least = rule.length.lower?.value ?? 0
      let examples = [defaultValue, rule.format?.example.map(JSONValue.string)].compactMap(\.self) + examples
      return examples + ["a", "1", "A"].map { .string(String(repeating: $0, count: max(least, 1))) } + [""]
    case .integer(let bounds):
      return ([bounds.lower?.value, bounds.upper?.value].compactMap(\.self) + [0, 1]).map { .integer($0) }
    case .number(let bounds): return bounds.guesses.map { JSONValue($0) }
    case .boolean: return [false, true]
    case .choice(let choices): return choices.map(\.value)
    case .list(let list):
      let entries = list.items.samples
      let count = max(list.count.lower?.value ?? 0, 1)
      let repeated = entries.first.map { Array(repeating: $0, count: min(count, 1_000)) } ?? []
      return [.array(repeated), .array(Array(entries.prefix(count))), []]
    case .object(let fields):
      let samples = FormSamples(fields)
      return (samples.full + [samples.least].compactMap(\.self)).map { .object($0) }
    }
  }

  private func check(alone value: JSONValue) -> Bool {
    guard case .object = rule, let members = value.object else {
      return Schema.object(Field("x", self)).check(["x": value]).isEmpty
    }
    return check(members).isEmpty
  }
}

extension Bounds<Double> {
  /// The limits, a number between them, and numbers next to a single limit.
  fileprivate var guesses: [Double] {
    let limits = [lower, upper].compactMap { $0?.value }
    let middle = limits.count == 2 ? [limits[0] / 2 + limits[1] / 2] : limits.flatMap { [$0 + 1, $0 - 1] }
    return [0] + limits + middle
  }
}
