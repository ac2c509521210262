import CoordinatorBus
import CoordinatorKit
import DBus
import ProviderFiles

extension RegisteredFlow {
  /// Reads a flow from the argument of `RegisterFlows`.
  ///
  /// - Throws: `InvalidArgs` for an unknown key, a value of the wrong type, and a schema that is not supported.
  package init(_ value: Value) throws(DBusError) {
    var values = try NamedArguments(value, of: "a flow")
    guard let name = try values.string("name"), !name.isEmpty, name.utf8.count <= 128 else {
      throw .invalidArgs("a flow needs a name of 1 to 128 bytes")
    }
    values.subject = "the flow \(name)"
    let title = try values.string("title")
    let summary = try values.string("summary") ?? ""
    guard let title, title.utf8.count <= Self.maxText, summary.utf8.count <= Self.maxText else {
      throw .invalidArgs("the flow \(name) needs a title, which, like its summary, has at most \(Self.maxText) bytes")
    }
    guard let router = RouterKind(rawValue: try values.string("router") ?? "navigation") else {
      throw .invalidArgs("the router of the flow \(name) must be navigation, modal or window")
    }
    let input = try Self.schema("input", &values, name) ?? .object()
    let form: Form
    do { form = try Form(schema: input, order: input.fields.map(\.name)) } catch {
      throw .invalidArgs("the input of the flow \(name) is invalid: \(error)")
    }
    guard input.secretFields.isEmpty else {
      throw .invalidArgs(
        "the input of the flow \(name) has a secret field: ask for secrets on a screen, because inputs are stored")
    }
    let description = FlowDescription(
      name, title: Text(verbatim: title), summary: Text(verbatim: summary), input: form, router: router,
      isRehearsable: try values.boolean("rehearsable") ?? false, canBeLeft: try values.boolean("leavable") ?? true,
      isInternal: try values.boolean("internal") ?? false, isSingleton: try values.boolean("singleton") ?? false,
      isPart: try values.boolean("part") ?? false)
    let schemas = FlowSchemas(
      result: try Self.schema("result", &values, name), output: try Self.schema("output", &values, name))
    let wantsLooking = try values.boolean("looking") ?? false
    let version =
      try values.take("version", "a number from 0 to 4294967295") { $0.uint64.flatMap { UInt32(exactly: $0) } } ?? 1
    let microseconds = min(try values.unsigned("deadline") ?? 5_000_000, 20_000_000)
    try values.finish()
    self.init(
      description: description, schemas: schemas, version: version, wantsLooking: wantsLooking,
      deadline: .microseconds(max(1, Int64(microseconds))), size: max(value.wireSize, description.listedSize(schemas)))
  }

  private static var maxText: Int { 4096 }

  private static func schema(
    _ key: String, _ values: inout NamedArguments, _ name: String
  ) throws(DBusError) -> Schema? {
    guard let value = try values.take(key, "a schema", { $0 }) else { return nil }
    do { return try Schema(json: JSONValue(value: value)) } catch {
      throw .invalidArgs("the \(key) of the flow \(name) is not a schema: \(error)")
    }
  }
}
