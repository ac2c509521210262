import CoordinatorBus
import TestBus
import Testing

@Suite("Generic D-Bus tools", .timeLimit(.minutes(5)))
struct ToolTests {
  private static let name = Contract.busName
  private static let root = Contract.rootPath.string
  private static let pets = "\(Contract.flowsPath)/pets_1"

  /// Runs a tool that must succeed, and returns the lines of its output.
  private func lines(_ daemon: RunningDaemon, _ arguments: [String]) async throws -> [String] {
    let report = try await Program.run(arguments, environment: daemon.environment)
    try #require(report.status == .exited(0), "\(arguments.joined(separator: " ")): \(report)")
    return report.lines.map { String($0.drop { $0 == " " }) }
  }

  @Test("'busctl' starts a flow, delegates, goes back, dismisses, and reads the outcome")
  func busctlPlaysAFlow() async throws {
    let daemon = try await RunningDaemon.start()
    func call(_ path: String, _ interface: String, _ arguments: String...) async throws -> [String] {
      try await lines(daemon, ["busctl", "--user", "call", Self.name, path, "\(Self.name).\(interface)"] + arguments)
    }
    let paths = try await call(Self.root, "Manager", "StartFlow", "sa{sv}a{sv}", "pets", "0", "0")
    #expect(paths == [#"oo "\#(Self.pets)" "\#(Self.pets)/router""#])
    #expect(
      try await call(Self.pets, "Coordinator", "Delegate", "tsa{sv}a{sv}", "1", "schedule-visit", "0", "0") == ["t 2"])
    #expect(try await call(Self.pets + "/router", "Router", "Back", "ta{sv}", "2", "0") == ["t 3"])
    #expect(
      try await call(Self.pets, "Coordinator", "Dismiss", "ba{sv}", "true", "1", "request", "s", "once") == ["t 4"])
    #expect(try await call(Self.root, "Manager", "GetOutcome", "o", Self.pets) == [#"sa{sv} "cancelled" 0"#])
    let properties = try await lines(
      daemon, ["busctl", "--user", "get-property", Self.name, Self.root, "\(Self.name).Manager", "ActiveFlows", "MaxDepth"])
    #expect(properties == ["u 0", "u 64"])
  }

  @Test("dbus-send, which cannot send a{sv}, plays a flow with a{ss}")
  func dbusSendPlaysAFlowWithStringOptions() async throws {
    let daemon = try await RunningDaemon.start()
    let none = "dict:string:string:"
    func call(_ path: String, _ method: String, _ arguments: String...) async throws -> [String] {
      let command = ["dbus-send", "--session", "--print-reply=literal", "--dest=\(Self.name)", path, "\(Self.name).\(method)"]
      return try await lines(daemon, command + arguments)
    }
    let visit = "\(Contract.flowsPath)/mine"
    #expect(
      try await call(Self.root, "Manager.StartFlow", "string:pets", none, none + "token,mine")
        == ["\(visit)   \(visit)/router"])
    #expect(
      try await call(visit, "Coordinator.Delegate", "uint64:1", "string:schedule-visit", none, none) == ["uint64 2"])
    #expect(try await call(visit + "/router", "Router.Back", "uint32:2", none) == ["uint64 3"])
    #expect(try await call(visit, "Coordinator.Dismiss", "boolean:false", none) == ["uint64 4"])
    let outcome = try await call(Self.root, "Manager.GetOutcome", "objpath:\(visit)")
    #expect(outcome.first?.hasPrefix("cancelled") == true)
  }

  @Test("'gdbus' starts a flow, delegates, goes back, dismisses, and reads the outcome")
  func gdbusPlaysAFlow() async throws {
    let daemon = try await RunningDaemon.start()
    func call(_ path: String, _ method: String, _ arguments: String...) async throws -> [String] {
      let command = ["gdbus", "call", "--session", "--dest", Self.name, "--object-path", path, "--method"]
      return try await lines(daemon, command + ["\(Self.name).\(method)"] + arguments)
    }
    #expect(
      try await call(Self.root, "Manager.StartFlow", "pets", "{}", "{'timeout': <60000000>}")
        == ["(objectpath '\(Self.pets)', objectpath '\(Self.pets)/router')"])
    #expect(try await call(Self.pets, "Coordinator.Delegate", "1", "schedule-visit", "{}", "{}") == ["(uint64 2,)"])
    #expect(try await call(Self.pets + "/router", "Router.Back", "2", "{}") == ["(uint64 3,)"])
    #expect(try await call(Self.pets, "Coordinator.Dismiss", "true", "{}") == ["(uint64 4,)"])
    #expect(try await call(Self.root, "Manager.GetOutcome", Self.pets) == ["('cancelled', @a{sv} {})"])
  }

  @Test("A Python client plays a flow, and reads a result and an error of the contract")
  func pythonClientPlaysAFlow() async throws {
    let library = try await Program.run(["/usr/bin/python3", "-c", "import dasbus"])
    try #require(
      library.status == .exited(0),
      "Debian's package python3-dasbus is missing; `make deps` installs it. Python says: \(library.errors)")
    let daemon = try await RunningDaemon.start()
    let printed = try await lines(daemon, ["/usr/bin/python3", Built.client("visit.py")])
    #expect(
      printed == [
        #"["\#(Self.pets)", "\#(Self.pets)/router"]"#,
        #"["home"]"#,
        "2",
        #"[["home", "select-visit-type"], ["\#(Self.pets)/schedule_visit_1"]]"#,
        #""StaleScreen""#,
        "3",
        #"[["home"], "cancelled"]"#,
        #"["finished", {"pain": "severe", "visit": "sick"}]"#,
        #""visit-scheduled""#,
        "8",
        #"["cancelled", {}]"#,
        "0",
      ])
  }
}
