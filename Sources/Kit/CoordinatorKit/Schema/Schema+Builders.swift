extension Schema {
  /// A text.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - length: how many characters it may have, counted in code points: `1...64`.
  ///   - pattern: what it must contain; `^` and `$` tie that to its ends.
  ///   - value: what a renderer fills in when nothing else is known.
  /// - Returns: the schema.
  public static func string(
    title: String, summary: String? = nil, length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil,
    default value: String? = nil
  ) -> Schema {
    let rule = TextRule(length: length, pattern: pattern)
    return Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// A text that nobody but the coordinator is to see: it arrives as a `Secret`.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - length: how many characters it may have, counted in code points.
  ///   - pattern: what it must contain.
  /// - Returns: the schema.
  public static func secret(
    title: String, summary: String? = nil, length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil
  ) -> Schema {
    let rule = TextRule(length: length, pattern: pattern, format: .password)
    return Schema(.text(rule), title: title, summary: summary, isSecret: true)
  }

  /// The address of a mailbox.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - value: what a renderer fills in when nothing else is known.
  /// - Returns: the schema.
  public static func email(title: String, summary: String? = nil, default value: String? = nil) -> Schema {
    let rule = TextRule(format: .email)
    return Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// A number without a fraction.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - range: from where to where it may go: `1...10`, `0...`.
  ///   - value: what a renderer fills in when nothing else is known.
  /// - Returns: the schema.
  public static func integer(
    title: String, summary: String? = nil, range: some BoundsExpression<Int64> = Bounds<Int64>(), default value: Int64? = nil
  ) -> Schema {
    Schema(.integer(range.bounds), title: title, summary: summary, defaultValue: value.map(JSONValue.integer))
  }

  /// A number.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - range: from where to where it may go: `0...1`.
  ///   - value: what a renderer fills in when nothing else is known.
  /// - Returns: the schema.
  public static func number(
    title: String, summary: String? = nil, range: some BoundsExpression<Double> = Bounds<Double>(), default value: Double? = nil
  ) -> Schema {
    Schema(.number(range.bounds), title: title, summary: summary, defaultValue: value.map { JSONValue($0) })
  }

  /// True or false.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - value: what a renderer fills in when nothing else is known.
  /// - Returns: the schema.
  public static func boolean(title: String, summary: String? = nil, default value: Bool? = nil) -> Schema {
    Schema(.boolean, title: title, summary: summary, defaultValue: value.map(JSONValue.boolean))
  }

  /// One of some texts.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - choices: in the order to show them, each with the title that its user reads: `("original", "As written")`.
  ///   - value: what a renderer chooses when nothing else is known.
  /// - Returns: the schema.
  public static func choice(
    title: String, summary: String? = nil, _ choices: [(value: String, title: String)], default value: String? = nil
  ) -> Schema {
    let choices = choices.map { Choice(.string($0.value), title: $0.title) }
    return Schema(.choice(choices), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// One of the cases of a type.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - choices: in the order to show them.
  ///   - value: what a renderer chooses when nothing else is known.
  /// - Returns: the schema.
  public static func choice<Choice: MenuChoice>(
    title: String, summary: String? = nil, of choices: [Choice], default value: Choice? = nil
  ) -> Schema {
    choice(title: title, summary: summary, choices.map { ($0.rawValue, $0.title) }, default: value?.rawValue)
  }

  /// One of some values.
  ///
  /// - Parameters:
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - choices: in the order to show them.
  ///   - value: what a renderer chooses when nothing else is known.
  /// - Returns: the schema.
  public static func choice(
    title: String, summary: String? = nil, of choices: [Choice], default value: JSONValue? = nil
  ) -> Schema {
    Schema(.choice(choices), title: title, summary: summary, defaultValue: value)
  }

  /// A list.
  ///
  /// - Parameters:
  ///   - items: what each entry must look like; neither a list nor an object. Its title is of no account.
  ///   - title: what its user reads beside it.
  ///   - summary: a sentence that explains it.
  ///   - count: how many entries it may have.
  ///   - isUnique: whether two entries may not be the same.
  /// - Returns: the schema.
  public static func array(
    of items: Schema, title: String, summary: String? = nil, count: some BoundsExpression<Int> = 0..., isUnique: Bool = false
  ) -> Schema {
    Schema(.list(ListRule(items: items, count: count, isUnique: isUnique)), title: title, summary: summary)
  }

  /// These fields and no others: the schema of a flow's input, or of a payload.
  ///
  /// - Parameter fields: the fields; their order is of no account.
  /// - Returns: the schema.
  public static func object(_ fields: [Field]) -> Schema {
    Schema(.object(fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }))
  }

  /// These fields and no others: the schema of a flow's input, or of a payload.
  ///
  /// - Parameter fields: the fields; their order is of no account.
  /// - Returns: the schema.
  public static func object(_ fields: Field...) -> Schema { object(fields) }
}
