extension Schema {
  /// Checks a payload, or a flow's input, in time linear in its size.
  ///
  /// A null is treated as an absent key. A key that is only canonically equivalent to the name of a field is unknown. Values of
  /// fields that are not shown are ignored. Unknown keys are reported under their own names, and fields of a list's entries
  /// under a path such as `addresses[2].ip`, counted from 0. In a list, the first invalid entry is reported. The reasons never
  /// repeat a value.
  ///
  /// - Parameter payload: the values, by field.
  /// - Returns: the reasons why fields are invalid, by field, as text for people ("must have 1 to 64 characters"); empty if the
  ///   payload is valid.
  public func check(_ payload: [String: JSONValue]) -> [String: String] { problems(with: payload, under: "") }

  /// Checks a payload, and separates its secrets from the other values.
  ///
  /// - Parameter raw: the values, by field.
  /// - Returns: the values without nulls and without fields that are not shown, with whole numbers as integers where the
  ///   schema requires integers, and the secrets.
  /// - Throws: ``InvalidPayload`` with a reason for each invalid field.
  public func accept(_ raw: [String: JSONValue]) throws(InvalidPayload) -> Payload {
    let reasons = check(raw)
    guard reasons.isEmpty else { throw InvalidPayload(fields: reasons) }
    let hidden = hiddenFields(in: raw)
    var payload = Payload(values: hidden.isEmpty ? raw : raw.filter { !hidden.contains($0.key) })
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

  private func normalized(_ value: JSONValue) -> JSONValue {
    switch (rule, value) {
    case (.integer, .number(let number)): return JSONValue(number)
    case (.list(let rule), .array(let entries)): return .array(entries.map(rule.items.normalized))
    case (.object, .object(let members)):
      let hidden = hiddenFields(in: members)
      var shown = members.filter { !$0.value.isNull && !hidden.contains($0.key) }
      for field in fields { shown[field.name] = shown[field.name].map(field.schema.normalized) }
      return .object(shown)
    default: return value
    }
  }

  /// Returns the reasons why the members of an object are invalid, by place.
  ///
  /// - Parameters:
  ///   - members: the members of the object.
  ///   - prefix: the beginning of each place: empty, or the place of the object and a dot.
  /// - Returns: the reasons, by place; empty if all members are valid.
  private func problems(with members: [String: JSONValue], under prefix: String) -> [String: String] {
    var reasons = [String: String]()
    let hidden = hiddenFields(in: members)
    var unknown = members.filter { !$0.value.isNull }
    for field in fields {
      let value = unknown.take(field.name)
      if hidden.contains(field.name) { continue }
      let place = prefix.isEmpty ? field.name : prefix + field.name
      if let value {
        let problems = field.schema.problems(with: value, at: place)
        if !problems.isEmpty { reasons.merge(problems) { first, _ in first } }
      } else if field.isRequiredIfShown {
        reasons[place] = Self.required
      }
    }
    for name in unknown.keys { reasons[prefix + name] = Text("is not a known field").string }
    for (field, repeated) in repetitions where !hidden.contains(field.name) && !hidden.contains(repeated.name) {
      let place = prefix + field.name
      guard reasons[place] == nil, !Self.areSame(members[field.name], members[repeated.name]) else { continue }
      reasons[place] = field.schema.message ?? Self.difference(from: repeated)
    }
    return reasons
  }

  /// Returns the reasons why a value is invalid, by place; empty if it is valid.
  private func problems(with value: JSONValue, at place: String) -> [String: String] {
    // The count is checked first, because it limits the cost of the patterns of the entries.
    if case .list(let list) = rule, case .object = list.items.rule, let entries = value.array,
      list.count.ofCount.contains(entries.count)
    {
      for (index, entry) in entries.enumerated() {
        let place = "\(place)[\(index)]"
        guard let members = entry.object else {
          return [place: list.items.message ?? Text("must be an entry with fields").string]
        }
        let problems = list.items.problems(with: members, under: place + ".")
        if !problems.isEmpty { return problems }
      }
    }
    return problem(with: value).map { [place: $0] } ?? [:]
  }

  /// Returns the first reason why a default or an initial value of a form is invalid; nil if it is valid.
  package func firstProblem(with value: JSONValue) -> String? {
    problems(with: value, at: "").min { $0.key < $1.key }.map { $0.key.isEmpty ? $0.value : "\($0.key) \($0.value)" }
  }

  /// Returns the reason why a value is invalid, without repeating the value; nil if it is valid. Does not check the fields of a
  /// list's entries.
  func problem(with value: JSONValue) -> String? {
    guard let reason = reason(against: value) else { return nil }
    return message ?? reason
  }

  private func reason(against value: JSONValue) -> String? {
    switch rule {
    case .text(let rule): rule.problem(with: value, examples: annotations[Keyword.examples])
    case .integer(let bounds): Self.problem(with: value, bounds, unit: unit)
    case .number(let bounds): Self.problem(with: value, bounds, unit: unit)
    case .boolean: value.boolean == nil ? Text("must be true or false").string : nil
    case .choice(let choices): Self.problem(with: value, choices)
    case .list(let rule): problem(with: value, rule)
    case .object: Text("is not supported here").string
    }
  }

  private static func problem(with value: JSONValue, _ bounds: Bounds<Int64>, unit: String?) -> String? {
    guard let integer = value.integer else {
      let isWhole = value.number.map { $0.isFinite && $0 == $0.rounded(.towardZero) } ?? value.isLargeWholeText
      return isWhole ? Text("is too large a number").string : Text("must be a whole number").string
    }
    return bounds.contains(integer) ? nil : bounds.reason(unit: unit) { String($0) }
  }

  static func problem(with value: JSONValue, _ bounds: Bounds<Double>, unit: String? = nil) -> String? {
    guard let number = value.number, number.isFinite else { return noNumber(value) }
    guard !bounds.contains(number) else { return nil }
    return bounds.reason(unit: unit) { DecimalNumber.text(of: JSONValue($0).canonicalText) }
  }

  /// Returns the reason why a value is not a number. Renderers send what a user typed as a text if digits would be lost.
  private static func noNumber(_ value: JSONValue) -> String {
    switch value.string.flatMap({ DecimalNumber.fit(of: DecimalNumber.plain($0)) }) {
    case .rounded: Text("has more digits than can be stored exactly").string
    case .tooLarge: Text("is too large a number").string
    case .exact, nil: Text("must be a number").string
    }
  }

  private static func problem(with value: JSONValue, _ choices: [Choice]) -> String? {
    if choices.contains(where: { $0.value.isSameScalar(as: value) }) { return nil }
    guard choices.count <= 20 else { return Text("is not one of the choices").string }
    let names = choices.map { $0.value.string ?? $0.value.canonicalText }
    return Text("is not one of: {choices}", ["choices": names.joined(separator: ", ")]).string
  }

  private func problem(with value: JSONValue, _ list: ListRule) -> String? {
    guard let entries = value.array else { return Text("must be a list").string }
    let count = list.count.ofCount
    guard count.contains(entries.count) else {
      return Text(
        one: "must have {bounds} entry", other: "must have {bounds} entries", count: count.plural, ["bounds": count.words]
      ).string
    }
    guard case .object = list.items.rule else {
      for (index, entry) in entries.enumerated() {
        guard let reason = list.items.reason(against: entry) else { continue }
        return list.items.message.map { Text("entry {number}: {message}", ["number": index + 1, "message": $0]).string }
          ?? Text("entry {number} {reason}", ["number": index + 1, "reason": reason]).string
      }
      return list.isUnique && entries.haveEqualEntries ? Self.repetition : nil
    }
    return list.isUnique && entries.map(list.items.normalized).haveEqualEntries ? Self.repetition : nil
  }

  private static var repetition: String { Text("must not contain the same entry twice").string }

  /// The reason for a required field without a value.
  package static var required: String {
    // TRANSLATORS: This and the other reasons follow the title of a field, as in "Name is required".
    Text("is required").string
  }
}

extension JSONValue {
  /// Whether the value is the text of a whole number that does not fit `Int64`.
  fileprivate var isLargeWholeText: Bool {
    guard let text = string.map(DecimalNumber.plain), Int64(text) == nil else { return false }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension [String: JSONValue] {
  /// Removes and returns the member whose name has the same bytes; nil if there is none.
  fileprivate mutating func take(_ name: String) -> JSONValue? {
    guard let index = index(forKey: name), self[index].key.utf8.elementsEqual(name.utf8) else { return nil }
    return remove(at: index).value
  }
}

extension Schema.TextRule {
  /// Returns the reason why a value is invalid, without repeating the value; nil if it is valid.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - examples: the array of examples. If the value does not match the pattern, the reason mentions the first valid example.
  /// - Returns: the reason, to be shown after the title.
  func problem(with value: JSONValue, examples: JSONValue? = nil) -> String? {
    guard let text = value.string else { return Text("must be text").string }
    let length = length.ofCount
    guard length.contains(text.unicodeScalars.count) else {
      return Text(
        one: "must have {bounds} character", other: "must have {bounds} characters", count: length.plural,
        ["bounds": length.words]
      ).string
    }
    if let format, !format.matches(text) { return format.refusal.string }
    guard let pattern, !pattern.matches(text) else { return nil }
    let example = examples?.array?.first { $0.string != nil && problem(with: $0) == nil }?.string
    return example.map { Text("is not in the expected form, such as {example}", ["example": $0]).string }
      ?? Text("is not in the expected form").string
  }
}
