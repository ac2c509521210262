/// The result type of a ``JSONParser``.
protocol JSONNode {
  /// The value null.
  static var null: Self { get }

  static func boolean(_ value: Bool) -> Self

  /// Returns a number without fraction and exponent that fits `Int64`.
  static func integer(_ value: Int64) -> Self

  /// Returns any other number; nil if it cannot be represented.
  ///
  /// - Parameter text: the number in its JSON form.
  /// - Returns: the number.
  static func numeral(_ text: String) -> Self?

  static func string(_ value: String) -> Self
  static func array(_ elements: [Self]) -> Self
  static func object(_ members: [String: Self]) -> Self
}

extension JSONValue: JSONNode {
  static func numeral(_ text: String) -> JSONValue? {
    guard let number = Double(text), number.isFinite else { return nil }
    return JSONValue(number)
  }
}

extension JSONValue {
  /// Parses a JSON text (RFC 8259). Members that are null are kept.
  ///
  /// Of members with the same name, the first one applies. A comma may follow the last element or member, because people who
  /// edit files by hand often leave one.
  ///
  /// - Parameter bytes: the text in UTF-8, which may begin with a byte order mark.
  /// - Throws: ``JSONSyntaxError``.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes)
  }

  /// Parses a JSON text; returns nil if it is not JSON.
  ///
  /// - Parameter text: the text.
  package init?(json text: String) {
    guard let value = try? JSONValue(parsing: text.utf8) else { return nil }
    self = value
  }
}
