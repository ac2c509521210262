import CoordinatorKit
import DBus

extension VardictReader {
  /// Returns the screen's form, built from its schema and the order of its fields; nil if the screen has no schema.
  func form() throws(MalformedScreen) -> Form? {
    guard let json = try optional(.schema, { try? JSONValue.object(from: $0) }) else { return nil }
    let order = try optional(.fields) { $0.elements.map { $0.compactMap(\.string) } } ?? []
    guard let form = try? Form(schema: Schema(json: .object(json)), order: order) else { throw malformed(.schema) }
    return form
  }
}
