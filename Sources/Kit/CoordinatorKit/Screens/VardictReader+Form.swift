import DBusValues

extension VardictReader {
  /// Returns the screen's form, built from its schema and the order of its fields; nil if the screen has no schema.
  func form() throws(MalformedScreen) -> Form? {
    mayHave(ScreenKey.fields.rawValue)
    guard let json = try optional(.schema, { try? JSONValue.object(from: $0) }) else { return nil }
    let order = try optional(.fields) { $0.elements.map { $0.compactMap(\.string) } } ?? []
    let schema: Schema
    do { schema = try Schema(json: .object(json)) } catch { throw malformed(.schema, because: error.description) }
    do { return try Form(schema: schema, order: order) } catch { throw malformed(.fields, because: error.description) }
  }
}
