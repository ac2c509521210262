extension Schema {
  /// Returns the schema of a string.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - length: the allowed number of code points, such as `1...64`.
  ///   - pattern: a pattern that must occur in the string; `^` and `$` anchor it to the ends.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func string(
    title: Text, summary: Text? = nil, length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil,
    default value: String? = nil
  ) -> Schema {
    let rule = TextRule(length: length, pattern: pattern)
    return Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// Returns the schema of a confidential string, which the coordinator receives as a ``Secret``.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - length: the allowed number of code points.
  ///   - pattern: a pattern that must occur in the string.
  /// - Returns: the schema.
  public static func secret(
    title: Text, summary: Text? = nil, length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil
  ) -> Schema {
    let rule = TextRule(length: length, pattern: pattern, format: .password)
    return Schema(.text(rule), title: title, summary: summary, isSecret: true)
  }

  /// Returns the schema of an e-mail address.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func email(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    let rule = TextRule(format: .email)
    return Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// Returns the schema of an integer.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - range: the allowed range, such as `1...10` or `0...`.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func integer(
    title: Text, summary: Text? = nil, range: some BoundsExpression<Int64> = Bounds<Int64>(), default value: Int64? = nil
  ) -> Schema {
    Schema(.integer(range.bounds), title: title, summary: summary, defaultValue: value.map(JSONValue.integer))
  }

  /// Returns the schema of a finite number.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - range: the allowed range, such as `0...1`.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func number(
    title: Text, summary: Text? = nil, range: some BoundsExpression<Double> = Bounds<Double>(), default value: Double? = nil
  ) -> Schema {
    Schema(.number(range.bounds), title: title, summary: summary, defaultValue: value.map { JSONValue($0) })
  }

  /// Returns the schema of a Boolean.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func boolean(title: Text, summary: Text? = nil, default value: Bool? = nil) -> Schema {
    Schema(.boolean, title: title, summary: summary, defaultValue: value.map(JSONValue.boolean))
  }

  /// Returns the schema of a choice between strings.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - choices: the choices in display order, each with the title that the user reads: `("original", "As written")`.
  ///   - value: the value that renderers choose initially.
  /// - Returns: the schema.
  public static func choice(
    title: Text, summary: Text? = nil, _ choices: [(value: String, title: Text)], default value: String? = nil
  ) -> Schema {
    let choices = choices.map { Choice(.string($0.value), title: $0.title) }
    return Schema(.choice(choices), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// Returns the schema of a choice between the cases of a type.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - choices: the choices, in display order.
  ///   - value: the value that renderers choose initially.
  /// - Returns: the schema.
  public static func choice<Choice: MenuChoice>(
    title: Text, summary: Text? = nil, of choices: [Choice], default value: Choice? = nil
  ) -> Schema {
    choice(title: title, summary: summary, choices.map { ($0.rawValue, $0.title) }, default: value?.rawValue)
  }

  /// Returns the schema of a choice between values of any scalar type.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - choices: the choices, in display order.
  ///   - value: the value that renderers choose initially.
  /// - Returns: the schema.
  public static func choice(
    title: Text, summary: Text? = nil, of choices: [Choice], default value: JSONValue? = nil
  ) -> Schema {
    Schema(.choice(choices), title: title, summary: summary, defaultValue: value)
  }

  /// Returns the schema of a list.
  ///
  /// - Parameters:
  ///   - items: the schema of each entry: a string, a number, a Boolean, a choice, or an object of those without
  ///     secrets. Its title is ignored.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - isUnique: whether all entries must be different.
  /// - Returns: the schema.
  public static func array(
    of items: Schema, title: Text, summary: Text? = nil, count: some BoundsExpression<Int> = 0..., isUnique: Bool = false
  ) -> Schema {
    Schema(.list(ListRule(items: items, count: count, isUnique: isUnique)), title: title, summary: summary)
  }

  /// Returns the schema of an object with exactly the given fields, for a flow's input, a payload, or the
  /// entries of a list.
  ///
  /// - Parameter fields: the fields, in any order.
  /// - Returns: the schema.
  public static func object(_ fields: [Field]) -> Schema {
    Schema(.object(fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }))
  }

  /// Returns the schema of an object with exactly the given fields, for a flow's input, a payload, or the
  /// entries of a list.
  ///
  /// - Parameter fields: the fields, in any order.
  /// - Returns: the schema.
  public static func object(_ fields: Field...) -> Schema { object(fields) }
}

/// A type whose cases are the choices of a menu or of a field. The raw value is the event, or the value in the payload.
///
/// ```swift
/// enum Size: String, Codable, CaseIterable, MenuChoice {
///   case small, large
///   var title: Text { self == .small ? "Small" : "Large" }
/// }
/// ```
public protocol MenuChoice: RawRepresentable<String>, FormProperty {
  /// The title that the user reads.
  var title: Text { get }
}
