import CoordinatorBus
import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Flows that coordinatord restricts to some users", .timeLimit(.minutes(5)))
struct RestrictedFlowTests {
  private let bus: PrivateBus
  private var file: String { "\(bus.directory)/c.conf" }

  init() throws { bus = try PrivateBus() }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
  }

  private func check(_ text: String, _ options: String...) async throws -> ProgramReport {
    try write(text)
    return try await Program.run(
      [Built.executable("coordinatord"), "--check-config", "--config", file] + options,
      environment: RunningDaemon.environment(of: bus))
  }

  @Test("--check-config names unknown flows, users and groups with their lines, and needs --system")
  func checkConfigNamesUnknownFlowsUsersAndGroups() async throws {
    let wrong = try await check(
      """
      [Flow petz]
      Users=root
      [Flow pets]
      Users=no-such-user 0
      Groups=root no-such-group
      Answer=0 no-such-user
      AnswerGroups=no-such-group
      """, "--system")
    #expect(wrong.status == .exited(78))
    for line in [
      "c.conf:4: Users=no-such-user 0: there is no user 'no-such-user' on this system",
      "c.conf:5: Groups=root no-such-group: there is no group 'no-such-group' on this system",
      "c.conf:6: Answer=0 no-such-user: there is no user 'no-such-user' on this system",
      "c.conf:7: AnswerGroups=no-such-group: there is no group 'no-such-group' on this system",
      "c.conf:1: [Flow petz]: there is no flow 'petz'; did you mean 'pets'?",
    ] { #expect(wrong.errors.contains(line), "\(wrong)") }
    let right = try await check("[Flow pets]\nUsers=root\nGroups=0\n", "--system")
    #expect(right.status == .exited(0), "\(right)")
    #expect(right.output.contains("[Flow pets]\n# \(file):2\nUsers=root\n# \(file):3\nGroups=0\n"), "\(right)")
    let answers = try await check("[Flow pets]\nAnswer=root\nAnswerGroups=0\n", "--system")
    #expect(answers.status == .exited(0), "\(answers)")
    #expect(answers.output.contains("Answer=root\n# \(file):3\nAnswerGroups=0\n"), "\(answers)")
    let session = try await check("[Flow pets]\nUsers=root\n")
    #expect(session.status == .exited(78))
    #expect(session.errors.contains("c.conf:1: [Flow pets]: requires --system"), "\(session)")
  }

  @Test("A flow that only other flows start has a rule of answers, but none of use")
  func internalFlowHasARuleOfAnswers() async throws {
    let providers = "\(bus.directory)/providers"
    try FileManager.default.createDirectory(atPath: providers, withIntermediateDirectories: true)
    let provider = "[Provider]\nBusName=com.example.Cafe\n[Flow approve]\nTitle=Approve\nInternal=yes\n"
    try Data(provider.utf8).write(to: URL(filePath: "\(providers)/cafe.conf"))
    let used = try await check("[Flow approve]\nUsers=root\n", "--system", "--providers", providers)
    #expect(used.status == .exited(78))
    #expect(used.errors.contains("only Answer= and AnswerGroups= apply to it"), "\(used)")
    let answered = try await check("[Flow approve]\nAnswer=root\n", "--system", "--providers", providers)
    #expect(answered.status == .exited(0), "\(answered)")
  }

  private func busWithPolicy() throws -> PrivateBus {
    let policy = try String(
      contentsOfFile: Built.checkedOut("Packaging/dbus-1/system.d/\(Contract.busName).conf"), encoding: .utf8)
    let adapted = policy.replacing(#"group="coordinatord""#, with: #"group="\#(OtherUser.group)""#)
    let copy = "\(bus.directory)/policy.conf"
    try adapted.write(toFile: copy, atomically: true, encoding: .utf8)
    return try PrivateBus(configuration: BusConfiguration.system(including: copy))
  }

  /// Calls the manager as a member of the group that may call.
  private func member(_ bus: PrivateBus, _ arguments: String...) async throws -> ProgramReport {
    try await OtherUser.member.call(bus, [Contract.busName, Contract.rootPath.string, Contract.managerInterface] + arguments)
  }

  @Test(
    "On a system bus a member of the group may use only the flows that are not restricted to others, until a reload",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func memberMayUseOnlyItsFlows() async throws {
    let bus = try busWithPolicy()
    try write("[Flow pets]\nUsers=root\n[Flow schedule-visit]\nGroups=\(OtherUser.group)\n")
    let daemon = try await RunningDaemon.start(on: bus, ["--system", "--group", OtherUser.group, "--config", file])
    let root = try await daemon.client()
    let pets = try await Flow.start("pets", root)
    let denied = try await member(bus, "StartFlow", "sa{sv}a{sv}", "pets", "0", "0")
    #expect(denied.status == .exited(1))
    #expect(denied.errors.contains("Access denied"), "busctl shows no more of it: \(denied)")
    #expect(try await member(bus, "StartFlow", "sa{sv}a{sv}", "schedule-visit", "0", "0").status == .exited(0))
    #expect(try await !member(bus, "ListFlows").output.contains(#""pets""#))
    let active = try await member(bus, "ListActive").output
    #expect(active.contains("schedule_visit_2") && !active.contains("pets_1"), "\(active)")
    #expect(try await root.manager.listActive().count == 2)
    let back = [Contract.busName, "\(pets.path)/router", Contract.routerInterface, "Back", "ta{sv}", "1", "0"]
    #expect(try await OtherUser.member.call(bus, back).errors.contains("Access denied"))
    try write("[Flow pets]\nUsers=root \(OtherUser.number)\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded changed=\"Users Groups\"")
    #expect(try await member(bus, "StartFlow", "sa{sv}a{sv}", "pets", "0", "0").status == .exited(0))
    try write("[Flow petz]\nUsers=root\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("there is no flow 'petz'")
    #expect(try await member(bus, "ListActive").output.contains("pets_1"), "all settings stay as they were")
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test(
    "On a system bus a member of the group sees a flow that it may not answer, until a reload lets it",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func memberMayOnlySee() async throws {
    let bus = try busWithPolicy()
    try write("[Flow pets]\nAnswer=root\n")
    let daemon = try await RunningDaemon.start(on: bus, ["--system", "--group", OtherUser.group, "--config", file])
    let root = try await daemon.client()
    let pets = try await Flow.start("pets", root)
    let delegate = [
      Contract.busName, pets.path.string, Contract.coordinatorInterface, "Delegate", "tsa{sv}a{sv}", "1", "schedule-visit", "0",
      "0",
    ]
    let mayAnswer = [Contract.busName, pets.path.string, Contract.coordinatorInterface, "MayAnswer"]
    #expect(try await member(bus, "ListActive").output.contains("pets_1"))
    let refused = try await OtherUser.member.call(bus, delegate)
    #expect(refused.errors.contains("only root answer the flow 'pets'"), "\(refused)")
    #expect(try await OtherUser.member.call(bus, mayAnswer).output.hasPrefix("bs false"))
    try write("[Flow pets]\nAnswer=root\nAnswerGroups=\(OtherUser.group)\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded changed=AnswerGroups")
    #expect(try await OtherUser.member.call(bus, mayAnswer).output.hasPrefix("bs true"))
    #expect(try await OtherUser.member.call(bus, delegate).status == .exited(0))
    #expect(await daemon.stop().status == .exited(0))
  }
}
