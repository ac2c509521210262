import CoordinatorBus
import DBus

/// A call that no client should make, and the error that it must be answered with.
struct HostileCall: Sendable {
  let why: String
  let path: ObjectPath
  let interface: String?
  let member: String
  let arguments: [Value]
  let error: String

  static let tree: ObjectPath = "/org/coordinatord/Coordinator1/flows/victim"
  static let router: ObjectPath = "/org/coordinatord/Coordinator1/flows/victim/router"
  private static let none = Value.vardict([:])

  private static func manager(_ why: String, _ member: String, _ arguments: [Value], _ error: String) -> HostileCall {
    HostileCall(
      why: why, path: Contract.rootPath, interface: Contract.managerInterface, member: member, arguments: arguments, error: error)
  }

  private static func coordinator(_ why: String, _ member: String, _ arguments: [Value], _ error: String) -> HostileCall {
    HostileCall(
      why: why, path: tree, interface: Contract.coordinatorInterface, member: member, arguments: arguments, error: error)
  }

  private static func router(_ why: String, _ member: String, _ arguments: [Value], _ error: String) -> HostileCall {
    HostileCall(why: why, path: router, interface: Contract.routerInterface, member: member, arguments: arguments, error: error)
  }

  private static func properties(_ why: String, _ member: String, _ arguments: [Value], _ error: String) -> HostileCall {
    HostileCall(
      why: why, path: Contract.rootPath, interface: "org.freedesktop.DBus.Properties", member: member, arguments: arguments,
      error: error)
  }

  private static func delegate(
    _ why: String, screen: UInt64 = 2, event: String = "sick", payload: Value = none, options: Value = none, _ error: String
  ) -> HostileCall {
    coordinator(why, "Delegate", [.uint64(screen), .string(event), payload, options], error)
  }

  private static func nested(_ levels: Int) -> Value {
    (1..<levels).reduce(.vardict([:])) { value, _ in .vardict(["deeper": value]) }
  }

  static let unknown: [HostileCall] = [
    HostileCall(
      why: "no such object", path: "/org/coordinatord/Coordinator1/flows/nobody", interface: Contract.coordinatorInterface,
      member: "Dismiss", arguments: [.boolean(true), none], error: "UnknownObject"),
    HostileCall(
      why: "a node without an object", path: Contract.flowsPath, interface: Contract.coordinatorInterface, member: "Dismiss",
      arguments: [.boolean(true), none], error: "UnknownObject"),
    HostileCall(
      why: "an object far off", path: "/", interface: Contract.managerInterface, member: "ListFlows", arguments: [],
      error: "UnknownObject"),
    HostileCall(
      why: "another object's interface", path: tree, interface: Contract.routerInterface, member: "Detach", arguments: [],
      error: "UnknownInterface"),
    HostileCall(
      why: "nobody's interface", path: tree, interface: "a.b", member: "C", arguments: [], error: "UnknownInterface"),
    HostileCall(
      why: "no interface, and a method that none has", path: tree, interface: nil, member: "C", arguments: [],
      error: "UnknownMethod"),
    coordinator("no such method", "Destroy", [], "UnknownMethod"),
    manager("no such flow", "StartFlow", [.string("no-such"), none, none], "UnknownFlow"),
    manager("an empty flow", "StartFlow", [.string(""), none, none], "UnknownFlow"),
    manager("a flow with a zero-width name", "RunFlow", [.string("pets\u{200B}"), none, none], "UnknownFlow"),
    coordinator("no such child", "StartChild", [.string("ÿ🐈"), none, none], "UnknownFlow"),
    manager("the outcome of nothing", "GetOutcome", [.objectPath("/")], "UnknownObject"),
    manager("the outcome of a router", "GetOutcome", [.objectPath(router)], "UnknownObject"),
    delegate("the largest id", screen: .max, "UnknownScreen"),
    delegate("an id that is yet to come", screen: 3, "UnknownScreen"),
    router("back from nothing", "Back", [.uint64(0), none], "UnknownScreen"),
    router("back from the largest id", "Back", [.uint64(.max), none], "UnknownScreen"),
    router("back from what is covered", "Back", [.uint64(1), none], "StaleScreen"),
    delegate("another coordinator's screen", "StaleScreen"),
    delegate("a covered screen", screen: 1, event: "schedule-visit", "StaleScreen"),
    delegate("an event from no screen that nobody takes", screen: 0, event: "", "UnknownEvent"),
    delegate("an event of other letters", screen: 0, event: "größer 🐈\u{202E}\u{0301}", "UnknownEvent"),
    delegate("an event that is long", screen: 0, event: String(repeating: "e", count: 500_000), "LimitsExceeded"),
    properties("no such property", "Get", [.string(Contract.managerInterface), .string("Secrets")], "UnknownProperty"),
    properties("a property of no interface", "Get", [.string("a.b"), .string("Version")], "UnknownInterface"),
    properties("all properties of no interface", "GetAll", [.string("a.b")], "UnknownInterface"),
    properties(
      "a property to read only", "Set",
      [.string(Contract.managerInterface), .string("MaxFlows"), .variant(.uint32(1))], "PropertyReadOnly"),
  ]

  static let illTyped: [HostileCall] = [
    manager("no arguments", "StartFlow", [], "InvalidArgs"),
    manager("too many arguments", "ListFlows", [.string("x")], "InvalidArgs"),
    manager("a text for a path", "GetOutcome", [.string("/")], "InvalidArgs"),
    manager("texts for dictionaries", "StartFlow", [.string("pets"), .string(""), .string("")], "InvalidArgs"),
    manager(
      "a dictionary with numbers as keys", "StartFlow", [.string("pets"), .dictionary(key: .uint32, value: .variant, []), none],
      "InvalidArgs"),
    coordinator("a text for an id", "Delegate", [.string("2"), .string("sick"), none, none], "InvalidArgs"),
    coordinator("a negative id", "Delegate", [.int32(-1), .string("sick"), none, none], "InvalidArgs"),
    coordinator("a number for a boolean", "Dismiss", [.uint32(1), none], "InvalidArgs"),
    router("a double for an id", "Back", [.double(2), none], "InvalidArgs"),
    router("capabilities that are none", "Attach", [.array(of: .string, [])], "InvalidArgs"),
    delegate("an option that is misspelt", options: .vardict(["requst": .string("a")]), "InvalidArgs"),
    delegate("an option of another method", options: .vardict(["token": .string("a")]), "InvalidArgs"),
    delegate("an empty request key", options: .vardict(["request": .string("")]), "InvalidArgs"),
    delegate("a request key of 65", options: .vardict(["request": .string(String(repeating: "k", count: 65))]), "InvalidArgs"),
    delegate("a request key of other letters", options: .vardict(["request": .string("é")]), "InvalidArgs"),
    delegate("a revision that is a text", options: .vardict(["seen": .string("2")]), "InvalidArgs"),
    delegate("a payload with a structure", payload: .vardict(["x": .structure([.byte(1)])]), "InvalidArgs"),
    delegate("a payload with a path", payload: .vardict(["x": .objectPath("/")]), "InvalidArgs"),
    delegate("NaN", payload: .vardict(["x": .double(.nan)]), "InvalidArgs"),
    delegate("infinity", payload: .vardict(["x": .double(.infinity)]), "InvalidArgs"),
    delegate("a number beyond 63 bits", payload: .vardict(["x": .uint64(.max)]), "InvalidArgs"),
    manager("an empty token", "StartFlow", [.string("pets"), none, .vardict(["token": .string("")])], "InvalidArgs"),
    manager("a token that is a path", "StartFlow", [.string("pets"), none, .vardict(["token": .string("a/b")])], "InvalidArgs"),
    manager("no time at all", "StartFlow", [.string("pets"), none, .vardict(["timeout": .uint64(0)])], "InvalidArgs"),
    manager(
      "a lifetime that is none", "RunFlow", [.string("pets"), none, .vardict(["lifetime": .string("long")])], "InvalidArgs"),
    manager("a taken token", "StartFlow", [.string("how-to-code"), none, .vardict(["token": .string("victim")])], "TokenInUse"),
    manager(
      "an input that the flow does not know", "StartFlow", [.string("pets"), .vardict(["x": .string("")]), none], "InvalidInput"),
    coordinator(
      "a style that is none", "StartChild", [.string("pets"), none, .vardict(["style": .string("root")])], "InvalidArgs"),
  ]

  static let tooMuch: [HostileCall] = [
    delegate("a payload over 1 MiB", payload: .vardict(["x": .string(String(repeating: "x", count: 1 << 20))]), "LimitsExceeded"),
    delegate(
      "many small things", payload: .vardict(["x": .array(of: .int64, Array(repeating: .int64(0), count: 150_000))]),
      "LimitsExceeded"),
    manager(
      "an input over 1 MiB", "StartFlow",
      [.string("pets"), .vardict(["x": .string(String(repeating: "x", count: 2 << 20))]), none], "LimitsExceeded"),
    delegate("nine levels", payload: nested(9), "LimitsExceeded"),
    delegate("twenty levels", payload: nested(20), "LimitsExceeded"),
    manager("an input of nine levels", "StartFlow", [.string("pets"), nested(9), none], "LimitsExceeded"),
  ]
}
