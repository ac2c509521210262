import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import Glibc
import Logging
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Flows that are restricted to some users", .timeLimit(.minutes(5)))
struct FlowAccessTests {
  /// Restricts a flow to a user who does not exist, and who is therefore not the one that runs the tests.
  private static func toOthers(_ flow: String) -> FlowAccess {
    FlowAccess([flow: FlowAccess.Rule(users: [4_000_000_123])], unrestricted: [])
  }

  @Test("A flow without a rule is for everyone, and one with a rule for its users, the members of its groups, and root")
  func ruleAdmitsItsUsersAndGroups() {
    let access = FlowAccess(["join": FlowAccess.Rule(users: [1_000], groups: [50])], unrestricted: [0, 998])
    for peer in [
      PeerCredentials(user: 1_000), PeerCredentials(user: 1_001, groups: [7, 50]), PeerCredentials(user: 0),
      PeerCredentials(user: 998),
    ] { #expect(access.admits(peer, to: "join"), "\(peer)") }
    for peer in [PeerCredentials(user: 1_001), PeerCredentials(user: 1_001, groups: [1_000]), PeerCredentials(), nil] {
      #expect(!access.admits(peer, to: "join"))
      #expect(access.admits(peer, to: "pets"))
      #expect(access.flows(hiddenFrom: peer) == ["join", ""])
    }
  }

  @Test("If any flow is restricted, so is a tree whose flow cannot be read; if none is, nothing is")
  func treeOfUnknownFlowIsRestricted() {
    let access = FlowAccess(["join": FlowAccess.Rule(users: [1_000], groups: [50])], unrestricted: [0])
    #expect(!access.admits(PeerCredentials(user: 1_000), to: ""))
    #expect(access.admits(PeerCredentials(user: 0), to: ""))
    #expect(access.isRestricted(""))
    #expect(FlowAccess().admits(PeerCredentials(user: 1_000), to: ""))
    #expect(!FlowAccess().isRestricted(""))
  }

  @Test("A flow that runs as root is closed to all but root, to use and to answer, until rules name others, also after a reload")
  func flowOfRootIsClosed() {
    var access = FlowAccess(["join": FlowAccess.Rule(groups: [50])], unrestricted: [0])
    access.close(["join", "format"])
    let (root, member, other) = (PeerCredentials(user: 0), PeerCredentials(user: 7, groups: [50]), PeerCredentials(user: 8))
    for (peer, flow, isAdmitted) in [
      (root, "format", true), (member, "format", false), (root, "join", true), (member, "join", true), (other, "join", false),
      (other, "pets", true),
    ] {
      #expect(access.admits(peer, to: flow) == isAdmitted, "\(peer) \(flow)")
      // Without a rule of answers, who may use it answers it, also as a child of a flow that all may use.
      #expect((access.flow(of: [flow, "pets"], whoseAnswersAreClosedTo: peer) == nil) == isAdmitted, "\(peer) \(flow)")
    }
    #expect(access.flows(hiddenFrom: member) == ["format", ""])
    #expect(access.reason(againstAnswering: "format").contains("runs as root"))
    access.answerRules["join"] = FlowAccess.Rule(users: [8])
    #expect(access.flow(of: ["join"], whoseAnswersAreClosedTo: member) == "join")
    let settings = HostSettings(DaemonConfiguration(access: access))
    _ = settings.adopt(DaemonConfiguration(access: FlowAccess(unrestricted: [0])))
    #expect(!settings.configuration.access.admits(member, to: "join"))
  }

  @Test("A caller cannot start a restricted flow, not as a child either, and does not find it in the list of flows")
  func restrictedFlowCannotBeStarted() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.toOthers("pets"))
    let arguments: [Value] = [.string("pets"), .vardict([:]), .vardict([:])]
    for member in ["StartFlow", "RunFlow"] {
      await #expect(throws: DBusError.self) { _ = try await daemon.manager(member, arguments) }
      await expectError("AccessDenied") { _ = try await daemon.manager(member, arguments) }
    }
    let visit = try await daemon.start("schedule-visit")
    await expectError("AccessDenied") {
      _ = try await daemon.call(visit, Contract.coordinatorInterface, "StartChild", arguments)
    }
    let flows = try await daemon.manager("ListFlows").first?.elements?.compactMap { $0.vardict?["name"]?.string } ?? []
    #expect(flows.contains("schedule-visit") && !flows.contains("pets"), "\(flows)")
    try await daemon.end()
  }

  @Test("A caller finds a restricted flow neither among the flows of the daemon nor among those of a provider")
  func restrictedFlowIsOfNoProvider() async throws {
    let daemon = try await TestDaemon(
      try .builtIn(),
      access: FlowAccess(["pets", "hidden"].reduce(into: [:]) { $0[$1] = .init(users: [4_000_000_123]) }, unrestricted: []))
    func providers() async throws -> [[String: Value]] {
      try await daemon.manager("ListProviders").first?.elements?.compactMap(\.vardict) ?? []
    }
    _ = try await daemon.manager("RegisterFlows", [.objectPath("/p"), .vardicts([.flow("hidden")]), .vardict([:])])
    #expect(try await providers().map { $0["origin"]?.string } == ["builtin"])
    let flows = try await providers().first?["flows"]?.elements?.compactMap(\.string) ?? []
    #expect(flows.contains("schedule-visit") && !flows.contains("pets"), "\(flows)")
    _ = try await daemon.manager(
      "RegisterFlows", [.objectPath("/p"), .vardicts([.flow("hidden"), .flow("shown")]), .vardict([:])])
    #expect(try await providers().last?["flows"]?.elements?.compactMap(\.string) == ["shown"])
    try await daemon.end()
  }

  @Test("The error names the user and the flow, and says why")
  func errorNamesTheFlow() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.toOthers("pets"))
    do {
      _ = try await daemon.start("pets")
      Issue.record("no error")
    } catch let error as DBusError {
      #expect(error.message.contains("may not use the flow 'pets': the daemon's configuration restricts it to others"))
    }
    try await daemon.end()
  }

  @Test("A tree of a restricted flow is closed to others in every way, even after a restart: reads, calls, and repeated ones")
  func restrictedTreeIsClosed() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    let pets = try await daemon.start("pets", [:], ["token": .string("mine")])
    let visit = try await daemon.start("schedule-visit")
    let request: [String: Value] = ["request": .string("first")]
    try await daemon.delegate(pets, 1, "schedule-visit", [:], request)
    let ended = try await daemon.start("pets", [:], ["token": .string("ended")])
    try await daemon.dismiss(ended)
    try await daemon.end()
    daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true, access: Self.toOthers("pets"))
    let router = try Contract.routerPath(of: pets)
    let child = try pets.appending("schedule_visit_1")
    for (path, interface, member, arguments) in [
      (pets, Contract.coordinatorInterface, "Dismiss", [.boolean(true), .vardict([:])]),
      (child, Contract.coordinatorInterface, "Delegate", [.uint64(2), .string("sick"), .vardict([:]), .vardict([:])]),
      (router, Contract.routerInterface, "Attach", [.vardict([:])]),
      (router, Contract.routerInterface, "Back", [.uint64(2), .vardict([:])]),
      (router, Contract.routerInterface, "SaveDraft", [.uint64(2), .vardict([:]), .vardict([:])]),
      (router, "org.freedesktop.DBus.Properties", "GetAll", [.string(Contract.routerInterface)]),
      (child, "org.freedesktop.DBus.Introspectable", "Introspect", []),
      (Contract.rootPath, Contract.managerInterface, "GetOutcome", [.objectPath(child)]),
      (Contract.rootPath, Contract.managerInterface, "GetOutcome", [.objectPath(ended)]),
      (Contract.rootPath, Contract.managerInterface, "GetEnding", [.objectPath(ended)]),
      (Contract.rootPath, Contract.managerInterface, "Forget", [.string("ended")]),
    ] as [(ObjectPath, String, String, [Value])] {
      await expectError("AccessDenied") { _ = try await daemon.call(path, interface, member, arguments) }
    }
    await expectError("AccessDenied") { try await daemon.delegate(pets, 1, "schedule-visit", [:], request) }
    try await expectSeen([visit], of: daemon)
    try await daemon.dismiss(visit)
    try await daemon.end()
  }

  /// Expects that every way of listing trees finds only these trees.
  private func expectSeen(_ trees: [ObjectPath], of daemon: TestDaemon) async throws {
    let active = try await daemon.manager("ListActive").first?.elements?.compactMap { $0.members?.first?.objectPath }
    #expect(active == trees)
    let ended = try await daemon.manager("ListEnded").first?.elements?.compactMap { $0.members?[1].string }
    #expect(ended?.contains("pets") == false)
    let manager = "org.freedesktop.DBus.ObjectManager"
    let objects = try await daemon.call(Contract.rootPath, manager, "GetManagedObjects", [])
    guard case .dictionary(_, _, let entries)? = objects.first else { return #expect(Bool(false), "\(objects)") }
    let roots = Set(entries.compactMap { $0.key.objectPath }.compactMap(Contract.root))
    #expect(roots == Set(trees))
    let node = try await daemon.call(Contract.flowsPath, "org.freedesktop.DBus.Introspectable", "Introspect", [])
    #expect(node.first?.string?.contains(#"name="mine""#) == false)
    for tree in trees { #expect(node.first?.string?.contains(try #require(tree.elements.last)) == true) }
  }

  @Test("A restricted flow that another flow starts as a child is part of that flow's tree, which its users may use")
  func childOfAnotherFlowIsNotRestricted() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.toOthers("schedule-visit"))
    let pets = try await daemon.start("pets")
    try await daemon.delegate(pets, 1, "schedule-visit")
    try await daemon.delegate(try pets.appending("schedule_visit_1"), 2, "sick")
    #expect(try await daemon.screens(pets).count == 3)
    try await daemon.end()
  }

  @Test("Groups that the bus does not report are looked up once, and are then known to the rules of flows")
  func lookedUpGroupsReachTheRules() async {
    let rule = CallerRule(users: [0], group: UserGroup(name: "staff", number: 50))
    let admission = rule.admission(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })) { _ in [50, 51] }
    let peer = await admission.completes(PeerCredentials(user: 1_000))
    #expect(peer == PeerCredentials(user: 1_000, groups: [50, 51]))
    #expect(FlowAccess(["join": FlowAccess.Rule(groups: [51])]).admits(peer, to: "join"))
  }

  @Test("Signals of a restricted tree reach only its attached renderers that may use it, and others nothing of it")
  func restrictedSignalsReachOnlyItsRenderers() async throws {
    let daemon = try await TestDaemon(
      try .builtIn(), access: FlowAccess(["pets": FlowAccess.Rule(users: [geteuid()])], unrestricted: []))
    let renderer = try await daemon.anotherClient()
    let rule = MatchRule(type: .signal, sender: Contract.busName, pathNamespace: Contract.rootPath)
    let (heard, overheard) = (try await renderer.signals(matching: rule), try await daemon.signals())
    let pets = try await daemon.start("pets")
    let attach = try Contract.routerPath(of: pets)
    _ = try await daemon.call(attach, Contract.routerInterface, "Attach", [.vardict([:])], by: renderer)
    try await daemon.delegate(pets, 1, "schedule-visit")
    try await daemon.dismiss(pets)
    let visit = try await daemon.start("schedule-visit")
    let names = try await members(of: heard, until: visit)
    #expect(
      Set(names) == [
        "InterfacesAdded", "Answered", "Presented", "Settled", "PropertiesChanged", "Dismissed", "ChildEnded",
        "InterfacesRemoved", "FlowEnded",
      ])
    #expect(names.last == "FlowEnded", "\(names)")
    #expect(try await members(of: overheard, until: visit) == [])
    try await daemon.end()
  }

  /// Returns the names of the signals up to the start of a tree, without those of the manager's properties.
  private func members(of signals: SignalSequence, until start: ObjectPath) async throws -> [String] {
    var members: [String] = []
    for await delivery in signals {
      guard case .signal(let signal) = delivery else { continue }
      if signal.member == "InterfacesAdded", signal.body.first?.objectPath == start { break }
      let isOfManager = signal.member == "PropertiesChanged" && signal.path == Contract.rootPath
      if !isOfManager { members.append(signal.member) }
    }
    return members
  }
}
