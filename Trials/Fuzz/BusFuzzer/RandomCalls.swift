import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus

/// Generates calls of every method that the daemon exports, with arguments from valid to absurd.
struct RandomCalls {
  var values: ExtremeValues
  /// The flows that can be started, with the schemas of their inputs.
  let flows: [(name: String, input: Schema?)]
  private static let optionKeys = ["request", "token", "lifetime", "timeout", "seen", "style", "Request", ""]
  private static let events = ["next", "select", "save", "log-in", "sick", "well", "back", "random", "cancel", "done", "größer"]

  init(seed: UInt64, flows: [(name: String, input: Schema?)]) {
    values = ExtremeValues(generator: SeededGenerator(seed: seed))
    self.flows = flows
  }

  /// Returns a call of a method on an object that existed a moment ago, or on a path near it.
  mutating func next(_ map: ObjectMap) -> MethodCall {
    // The interface is chosen first, because most objects have only the standard ones.
    let interface = values.pick(Vocabulary.interfaces) ?? Contract.manager
    let able = map.objects.filter { $0.interfaces.contains { $0.name == interface.name } }
    let object = able.randomElement(using: &values.generator)?.path ?? Contract.rootPath
    let method = values.pick(interface.methods) ?? MethodDescription("Ping")
    var call = MethodCall(
      destination: Contract.busName, path: path(near: object, map), interface: interface.name,
      member: method.name, arguments: method.inputs.map { argument($0, map) })
    disturb(&call, map)
    return call
  }

  private mutating func path(near path: ObjectPath, _ map: ObjectMap) -> ObjectPath {
    switch Int.random(in: 0..<20, using: &values.generator) {
    case 0: values.path()
    case 1: (try? path.appending("router")) ?? path
    case 2: path.parent ?? path
    case 3: values.pick(map.gone) ?? path
    default: path
    }
  }

  /// Breaks some calls: wrong types, wrong argument counts, wrong or missing names.
  private mutating func disturb(_ call: inout MethodCall, _ map: ObjectMap) {
    switch Int.random(in: 0..<20, using: &values.generator) {
    case 0: call.interface = nil
    case 1: call.interface = values.pick(["a.b", Contract.routerInterface, "org.freedesktop.DBus.Properties", Contract.busName])
    case 2: call.member = values.pick(["Nothing", "delegate", String(repeating: "M", count: 255)]) ?? "Nothing"
    case 3: call.arguments.append(someValue())
    case 4: if !call.arguments.isEmpty { call.arguments.removeLast() }
    case 5, 6, 7:
      if let index = call.arguments.indices.randomElement(using: &values.generator) { call.arguments[index] = someValue() }
    case 8: call.arguments = (0..<Int.random(in: 0...5, using: &values.generator)).map { _ in someValue() }
    default: break
    }
  }

  private mutating func someValue() -> Value {
    let type = values.type(depth: 4)
    return values.value(of: type)
  }

  private mutating func argument(_ argument: Argument, _ map: ObjectMap) -> Value {
    let type = argument.type.single ?? .string
    guard values.chance(80) else { return values.value(of: type) }
    switch argument.name {
    case "flow": return .string(values.pick(flows)?.name ?? "pets")
    case "input": return input()
    case "payload": return .vardict(values.chance(60) ? [:] : ["id": values.value(of: .string)])
    case "options", "capabilities": return options()
    case "screen": return .uint64(.random(in: 0...6, using: &values.generator))
    case "event": return .string(values.pick(Self.events) ?? "next")
    case "coordinator": return .objectPath(values.pick(map.gone + map.objects.prefix(50).map(\.path)) ?? .root)
    case "interface_name":
      return .string(values.pick(Vocabulary.contractInterfaces.map(\.name) + [""]) ?? "")
    case "property_name":
      let property = values.pick(Vocabulary.contractInterfaces.flatMap(\.properties))
      return .string(property?.name ?? "")
    default: return values.value(of: type)
    }
  }

  /// Returns a valid input of some flow, or an empty one. If it belongs to another flow, the call gets `InvalidInput`.
  private mutating func input() -> Value {
    guard values.chance(70), let schema = values.pick(flows)?.input else { return .vardict([:]) }
    return (try? .object(schema.acceptedObject(using: &values.generator))) ?? .vardict([:])
  }

  private mutating func options() -> Value {
    var options: [String: Value] = [:]
    for _ in 0..<Int.random(in: 0...2, using: &values.generator) {
      let key = values.pick(Self.optionKeys) ?? ""
      options[key] = values.chance(20) ? someValue() : option(key)
    }
    return .vardict(options)
  }

  private mutating func option(_ key: String) -> Value {
    switch key {
    case "request": .string("key-\(Int.random(in: 0..<9, using: &values.generator))")
    case "token": .string("token_\(Int.random(in: 0..<40, using: &values.generator))")
    case "lifetime": .string(values.pick(["daemon", "caller", ""]) ?? "")
    case "timeout": .uint64(values.pick([0, 1, 1_000, 500_000, .max]) ?? 1)
    case "seen": .uint64(.random(in: 0...5, using: &values.generator))
    case "style": .string(values.pick(["push", "modal", "root"]) ?? "")
    default: .string("?")
    }
  }
}
