import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import Glibc
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Flows that only some users may answer", .timeLimit(.minutes(5)))
struct AnswerAccessTests {
  /// Lets only a user answer a flow who does not exist, and who is therefore not the one that runs the tests.
  private static func byOthers(_ flow: String, named names: [String] = ["ada", "members of the group netdev"]) -> FlowAccess {
    FlowAccess([:], answering: [flow: FlowAccess.Rule(users: [4_000_000_123], names: names)], unrestricted: [])
  }

  private static let options: [Value] = [.vardict([:])]

  /// Every method of a tree's objects that is an answer, with arguments that it would accept.
  private static func answers(
    _ coordinator: ObjectPath, _ screen: UInt64, _ event: String
  ) throws -> [(path: ObjectPath, interface: String, member: String, arguments: [Value])] {
    let root = try #require(Contract.root(of: coordinator))
    let router = try Contract.routerPath(of: root)
    // The language is that of the whole tree, so its root decides.
    let proposals: [(path: ObjectPath, interface: String, member: String, arguments: [Value])] =
      coordinator == root ? [(router, Contract.routerInterface, "ProposeLanguage", [.string("de")] + options)] : []
    return proposals + [
      (coordinator, Contract.coordinatorInterface, "Delegate", [.uint64(screen), .string(event), .vardict([:])] + options),
      (coordinator, Contract.coordinatorInterface, "Delegate", [.uint64(0), .string(event), .vardict([:])] + options),
      (coordinator, Contract.coordinatorInterface, "Dismiss", [.boolean(true)] + options),
      (coordinator, Contract.coordinatorInterface, "StartChild", [.string("schedule-visit"), .vardict([:])] + options),
      (router, Contract.routerInterface, "Back", [.uint64(screen)] + options),
      (router, Contract.routerInterface, "SaveDraft", [.uint64(screen), .vardict([:])] + options),
    ]
  }

  /// Tries each answer, as it is and in the forms that the daemon accepts in its place.
  private func expectClosed(_ coordinator: ObjectPath, _ screen: UInt64, _ event: String, to daemon: TestDaemon) async throws {
    for (path, interface, member, arguments) in try Self.answers(coordinator, screen, event) {
      await expectError("MayNotAnswer") { _ = try await daemon.call(path, interface, member, arguments) }
      await expectError("MayNotAnswer") {
        let keyed = arguments.dropLast() + [.vardict(["request": .string("again")])]
        _ = try await daemon.call(path, interface, member, Array(keyed))
      }
      guard let number = arguments.first?.uint64 else { continue }
      await expectError("MayNotAnswer") {
        _ = try await daemon.call(path, interface, member, [.int32(Int32(number))] + arguments.dropFirst())
      }
    }
  }

  @Test("A rule names who may answer; without one, everyone may who may use the flow, and root always may")
  func ruleAdmitsItsUsersAndGroups() {
    let rule = FlowAccess.Rule(users: [1_000], groups: [50])
    let access = FlowAccess([:], answering: ["approve": rule], unrestricted: [0, 998])
    for peer in [
      PeerCredentials(user: 1_000), PeerCredentials(user: 1_001, groups: [7, 50]), PeerCredentials(user: 0),
      PeerCredentials(user: 998),
    ] { #expect(access.flow(of: ["approve", "pets"], whoseAnswersAreClosedTo: peer) == nil, "\(peer)") }
    for peer in [PeerCredentials(user: 1_001), PeerCredentials(user: 1_001, groups: [1_000]), PeerCredentials(), nil] {
      #expect(access.flow(of: ["pets", "approve"], whoseAnswersAreClosedTo: peer) == "approve")
      #expect(access.flow(of: ["pets"], whoseAnswersAreClosedTo: peer) == nil)
      #expect(access.admits(peer, to: "approve"), "the rule of answers restricts no use")
      #expect(access.flows(hiddenFrom: peer).isEmpty)
    }
  }

  @Test("If any flow has a rule, a tree whose flow cannot be read is answered only by the users whom no rule restricts")
  func treeOfUnknownFlowIsClosed() {
    let access = FlowAccess([:], answering: ["approve": FlowAccess.Rule(users: [1_000])], unrestricted: [0])
    #expect(access.flow(of: [""], whoseAnswersAreClosedTo: PeerCredentials(user: 1_000)) == "")
    #expect(access.flow(of: [""], whoseAnswersAreClosedTo: PeerCredentials(user: 0)) == nil)
    #expect(FlowAccess().flow(of: [""], whoseAnswersAreClosedTo: nil) == nil)
  }

  @Test("The error names the flow and who may answer it, but not more than eight of them")
  func errorNamesWhoMay() {
    let reason = "the daemon's configuration lets only"
    #expect(
      Self.byOthers("approve").reason(againstAnswering: "approve")
        == "\(reason) ada and members of the group netdev answer the flow 'approve'")
    #expect(
      Self.byOthers("approve", named: ["ada"]).reason(againstAnswering: "approve")
        == "\(reason) ada answer the flow 'approve'")
    let many = Self.byOthers("approve", named: (1...20).map { "user \($0)" }).reason(againstAnswering: "approve")
    #expect(many.contains("user 7, user 8 and 12 others") && !many.contains("user 9"), "\(many)")
  }

  @Test("A client that may only see a tree starts it, reads it and attaches, and every answer is refused and changes nothing")
  func hostileClientCannotAnswer() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.byOthers("pets"))
    let pets = try await daemon.start("pets", [:], ["token": .string("mine")])
    let before = try await daemon.screens(pets)
    try await expectClosed(pets, 1, "schedule-visit", to: daemon)
    let router = try Contract.routerPath(of: pets)
    let attached = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict(["kind": .string("terminal")])])
    #expect(attached.first?.uint64 == 1 && attached.last?.elements?.count == before.count)
    try await expectClosed(pets, 1, "schedule-visit", to: daemon)
    _ = try await daemon.call(router, Contract.routerInterface, "Detach", [])
    #expect(try await daemon.screens(pets) == before)
    #expect(try await daemon.outcome(pets) == "active")
    await expectError("TokenInUse") { _ = try await daemon.manager("Forget", [.string("mine")]) }
    try await daemon.end()
  }

  @Test("Each method of a coordinator and a router is an answer, unless it is listed as one that only shows")
  func everyMethodIsClassified() throws {
    let answers = Set(try Self.answers("/org/coordinatord/Coordinator1/flows/pets_1", 1, "e").map(\.member))
    for interface in [Contract.coordinator, Contract.router] {
      for method in interface.methods {
        #expect(answers.contains(method.name) != AccessPolicy.seeing.contains(method.name), "\(method.name)")
      }
    }
  }

  @Test("A coordinator is asked for whether its caller may answer, and says who may")
  func mayAnswerIsTold() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.byOthers("schedule-visit"))
    let pets = try await daemon.start("pets")
    #expect(try await daemon.call(pets, Contract.coordinatorInterface, "MayAnswer", []) == [.boolean(true), .string("")])
    try await daemon.delegate(pets, 1, "schedule-visit")
    let told = try await daemon.call(
      try pets.appending("schedule_visit_1"), Contract.coordinatorInterface, "MayAnswer", [])
    #expect(told.first == .boolean(false))
    #expect(told.last?.string?.contains("only ada and members of the group netdev answer the flow 'schedule-visit'") == true)
    try await daemon.end()
  }

  @Test("The rule of a child closes the child and what is below it, wherever it runs, and not its parent, which may end it")
  func ruleOfChildClosesTheChild() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.byOthers("schedule-visit"))
    let pets = try await daemon.start("pets")
    try await daemon.delegate(pets, 1, "schedule-visit")
    try await expectClosed(try pets.appending("schedule_visit_1"), 2, "sick", to: daemon)
    #expect(try await daemon.screens(pets).count == 2)
    let own = try await daemon.start("pets")
    let started = try await daemon.call(
      own, Contract.coordinatorInterface, "StartChild", [.string("schedule-visit"), .vardict([:])] + Self.options)
    let child = try #require(started.first?.objectPath)
    try await expectClosed(child, 2, "sick", to: daemon)
    try await daemon.dismiss(pets)
    try await daemon.dismiss(own)
    #expect(try await daemon.outcome(pets) == "cancelled")
    try await daemon.end()
  }

  @Test("The rule of a parent closes its children, because an event that a child does not take goes to the parent")
  func ruleOfParentClosesItsChildren() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    let pets = try await daemon.start("pets")
    try await daemon.delegate(pets, 1, "schedule-visit")
    try await daemon.end()
    daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true, access: Self.byOthers("pets"))
    try await expectClosed(try pets.appending("schedule_visit_1"), 2, "sick", to: daemon)
    try await daemon.end()
    daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    try await daemon.delegate(try pets.appending("schedule_visit_1"), 2, "sick")
    try await daemon.end()
  }

  @Test("Back and SaveDraft on a screen that is not shown yet are refused, because it could belong to a closed flow")
  func screenToComeIsRefused() async throws {
    let daemon = try await TestDaemon(try .builtIn(), access: Self.byOthers("schedule-visit"))
    let pets = try await daemon.start("pets")
    let router = try Contract.routerPath(of: pets)
    // Sent at once, so that the later calls arrive while the first one is carried out.
    async let first = daemon.delegate(pets, 1, "schedule-visit")
    async let back = Self.error {
      _ = try await daemon.call(router, Contract.routerInterface, "Back", [.uint64(2)] + Self.options)
    }
    async let draft = Self.error {
      _ = try await daemon.call(router, Contract.routerInterface, "SaveDraft", [.uint64(2), .vardict([:])] + Self.options)
    }
    _ = try await first
    for name in await [back, draft] {
      #expect([Contract.errorPrefix + "UnknownScreen", Contract.errorPrefix + "MayNotAnswer"].contains(name))
    }
    #expect(try await daemon.screens(pets).count == 2)
    await expectError("UnknownScreen") {
      _ = try await daemon.call(router, Contract.routerInterface, "Back", [.uint64(7)] + Self.options)
    }
    try await daemon.end()
  }

  private static func error(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? DBusError)?.name
    }
  }

  @Test("Who may not use a flow may not answer it either, and learns no more than that")
  func useIsDecidedFirst() async throws {
    var access = Self.byOthers("pets")
    access.rules = ["pets": FlowAccess.Rule(users: [4_000_000_123])]
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    let pets = try await daemon.start("pets")
    try await daemon.end()
    daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true, access: access)
    await expectError("AccessDenied") { try await daemon.delegate(pets, 1, "schedule-visit") }
    await expectError("AccessDenied") { _ = try await daemon.call(pets, Contract.coordinatorInterface, "MayAnswer", []) }
    try await daemon.end()
  }
}
