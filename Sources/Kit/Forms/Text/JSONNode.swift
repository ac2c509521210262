/// What a ``JSONParser`` makes of a text.
protocol JSONNode {
  /// The value null.
  static var null: Self { get }

  static func boolean(_ value: Bool) -> Self

  /// Returns a number that is written without fraction and exponent and fits `Int64`.
  static func integer(_ value: Int64) -> Self

  /// Returns any other number; nil if it cannot be represented.
  ///
  /// - Parameter text: the number as it is written: valid JSON.
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
  /// Of members with the same name, the first one counts. A comma may follow the last element or member, because people
  /// who edit files by hand leave it there.
  ///
  /// - Parameter bytes: text in UTF-8, which may begin with a byte order mark.
  /// - Throws: ``JSONSyntaxError``.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes)
  }

  /// Parses a JSON text; nil if it is not JSON.
  ///
  /// - Parameter text: text.
  package init?(json text: String) {
    guard let value = try? JSONValue(parsing: text.utf8) else { return nil }
    self = value
  }
}
