import CoordinatorBus
import CoordinatorKit
import DBus

/// The flows that one connection serves.
struct FlowRegistration: Sendable {
  /// The connection's unique name. The owner of ``name`` changes when another connection takes it.
  var owner: String
  /// The well-known name under which it serves; "" for none.
  let name: String
  /// The path of the provider's object.
  let path: ObjectPath
  /// How many questions it is asked at once.
  var concurrency = FlowRegistration.maxConcurrency
  var flows: [RegisteredFlow]
  /// Changes with the program; "" if it does not say.
  var digest = ""

  /// The most questions that a provider is asked at once.
  static var maxConcurrency: Int { 16 }

  /// What tells registrations apart: a name has one, and so does a connection without a name.
  var key: String { name.isEmpty ? owner : name }

  /// How the provider is named to people.
  var title: String { name.isEmpty ? owner : name }

  /// The flow of a name; nil if it is not among them.
  subscript(name: String) -> RegisteredFlow? { flows.first { $0.description.name == name } }
}

/// A flow as its provider describes it.
package struct RegisteredFlow: Sendable {
  package let description: FlowDescription
  package let schemas: FlowSchemas
  /// The version of the program's own state.
  package let version: UInt32
  /// Whether its coordinators are told who looks at their screens.
  let wantsLooking: Bool
  /// How long one `Decide` may take.
  package let deadline: Duration

  /// Returns whether another description says the same.
  func isSame(as other: RegisteredFlow) -> Bool {
    description == other.description && schemas == other.schemas && version == other.version && deadline == other.deadline
      && wantsLooking == other.wantsLooking
  }
}

extension RegisteredFlow {
  /// Reads a flow from the argument of `RegisterFlows`.
  package init(_ values: [String: Value]) throws(DBusError) {
    let known: Set = [
      "name", "title", "summary", "input", "version", "rehearsable", "router", "deadline", "result", "output", "internal",
      "singleton", "leavable", "looking", "part",
    ]
    if let key = values.keys.first(where: { !known.contains($0) }) { throw .invalidArgs("a flow has the unknown key \(key)") }
    guard let name = values["name"]?.string, !name.isEmpty, name.utf8.count <= 128 else {
      throw .invalidArgs("a flow needs a name of 1 to 128 bytes")
    }
    guard let title = values["title"]?.string, title.utf8.count <= Self.maxText,
      values["summary"]?.string?.utf8.count ?? 0 <= Self.maxText
    else { throw .invalidArgs("the flow \(name) needs a title, which, like its summary, has at most \(Self.maxText) bytes") }
    guard let router = RouterKind(rawValue: values["router"]?.string ?? "navigation") else {
      throw .invalidArgs("the router of the flow \(name) must be navigation, modal or window")
    }
    let input = try Self.schema("input", values, name) ?? .object()
    let form: Form
    do { form = try Form(schema: input, order: input.fields.map(\.name)) } catch {
      throw .invalidArgs("the input of the flow \(name) is invalid: \(error)")
    }
    guard input.secretFields.isEmpty else {
      throw .invalidArgs(
        "the input of the flow \(name) has a secret field: ask for secrets on a screen, because inputs are stored")
    }
    description = FlowDescription(
      name, title: Text(verbatim: title), summary: Text(verbatim: values["summary"]?.string ?? ""), input: form,
      router: router, isRehearsable: values["rehearsable"]?.bool ?? false, canBeLeft: values["leavable"]?.bool ?? true,
      isInternal: values["internal"]?.bool ?? false, isSingleton: values["singleton"]?.bool ?? false,
      isPart: values["part"]?.bool ?? false)
    schemas = FlowSchemas(result: try Self.schema("result", values, name), output: try Self.schema("output", values, name))
    wantsLooking = values["looking"]?.bool ?? false
    version = values["version"]?.uint64.flatMap { UInt32(exactly: $0) } ?? 1
    let microseconds = min(values["deadline"]?.uint64 ?? 5_000_000, 20_000_000)
    deadline = .microseconds(max(1, Int64(microseconds)))
  }

  private static var maxText: Int { 4096 }

  private static func schema(_ key: String, _ values: [String: Value], _ name: String) throws(DBusError) -> Schema? {
    guard let value = values[key] else { return nil }
    do { return try Schema(json: JSONValue(value: value)) } catch {
      throw .invalidArgs("the \(key) of the flow \(name) is not a schema: \(error)")
    }
  }
}
