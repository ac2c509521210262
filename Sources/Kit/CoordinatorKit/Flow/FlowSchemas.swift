/// The schemas of what a flow returns, and of what it emits while it lives, as far as their types declare them.
///
/// A type declares its schema as a form does: it conforms to ``FormValues``.
public struct FlowSchemas: Sendable, Hashable {
  /// The schema of the result; nil if its type does not declare one.
  public let result: Schema?
  /// The schema of the outputs; nil if there are none, or if their type does not declare one.
  public let output: Schema?

  /// Creates the schemas of a flow that describes them itself.
  package init(result: Schema?, output: Schema?) { (self.result, self.output) = (result, output) }

  // A dynamic check for a conformance searches all types of the program: it is made when somebody asks.
  init(result: Any.Type, output: Any.Type) {
    self.result = result == NoResult.self ? .object() : Self.schema(of: result)
    self.output = Self.schema(of: output)
  }

  private static func schema(of type: Any.Type) -> Schema? {
    guard let values = type as? any FormValues.Type else { return nil }
    let schema = Schema.object(values)
    return (try? schema.validate()) == nil ? nil : schema
  }
}
