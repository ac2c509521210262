import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import TestBus
import Testing

@Suite("Providers on a system bus", .timeLimit(.minutes(5)))
struct SystemProviderTests {
  private static let name = "com.example.Cafe"
  private static let options = ["--system", "--group", OtherUser.group, "--providers"]

  /// Returns a system bus with the policy that ships, adapted to a group that exists, on which all users may own the name and
  /// call its owner.
  private func bus(in directory: String) throws -> PrivateBus {
    let policy = Built.checkedOut("Packaging/dbus-1/system.d/\(Contract.busName).conf")
    let text = try String(contentsOfFile: policy, encoding: .utf8)
      .replacing(#"group="coordinatord""#, with: #"group="\#(OtherUser.group)""#)
      .replacing(
        "</busconfig>",
        with: """
          <policy context="default">
            <allow own="\(Self.name)"/><allow own="com.example.Other"/>
            <allow send_destination="\(Self.name)"/>
          </policy>
          </busconfig>
          """)
    let copy = "\(directory)/policy.conf"
    try Data(text.utf8).write(to: URL(filePath: copy))
    return try PrivateBus(configuration: BusConfiguration.system(including: copy))
  }

  private func register(_ bus: PrivateBus, _ flow: String, as name: String) async throws -> String? {
    let connection = try await Connection.open(.address(bus.address))
    _ = try await connection.requestName(name)
    do {
      _ = try await connection.call(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "RegisterFlows",
        arguments: [
          .objectPath("/own"), .vardicts([["name": .string(flow), "title": .string(flow)]]), .vardict(["name": .string(name)]),
        ])
      return nil
    } catch let error as DBusError {
      return error.name + ": " + error.message
    }
  }

  @Test(
    "P2: Only root and User= of the file serve under its name, and only names with a file register flows",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func trustedOwnersOnly() async throws {
    let files = try ActivatingBus()
    try files.serve("coffee", by: Self.name)
    let bus = try bus(in: files.bus.directory)
    let daemon = try await RunningDaemon.start(on: bus, Self.options + [files.providers])
    let client = try await daemon.client()
    let refused = try await register(bus, "tea", as: "com.example.Other")
    #expect(refused?.contains("AccessDenied: on the system bus, only a program whose name is in a provider file") == true)
    // Root owns the name.
    #expect(try await register(bus, "coffee", as: Self.name) == nil)
    // Another user owns it.
    let stranger = try OtherUser.member.launch(
      on: bus, ["/usr/bin/python3", Built.client("provider.py"), Self.name])
    try await stranger.prints("serving")
    try await daemon.program.says("refused a provider")
    let error = await #expect(throws: ClientError.self) { try await client.manager.startFlow("coffee") }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("neither root nor User="), "\(String(describing: error))")
    let listed = try await client.manager.listProviders().first { $0.name == Self.name }
    #expect(listed?.state == "failing" && listed?.problem?.contains("user \(OtherUser.number)") == true)
    // The file names that user.
    try files.serve("coffee", by: Self.name, "User=\(OtherUser.number)")
    try await poll { try await client.manager.listProviders().first { $0.name == Self.name }?.state == "running" }
    let flow = try await client.manager.startFlow("coffee")
    #expect(try await client.router(flow.router).window().screens.map(\.screen.origin?.name) == [Self.name])
  }

  @Test(
    "What a program has stored is read by root and by the program, and by no other client",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func stateIsNotForEverybody() async throws {
    let files = try ActivatingBus()
    try files.serve("coffee", by: Self.name)
    let bus = try bus(in: files.bus.directory)
    let daemon = try await RunningDaemon.start(on: bus, Self.options + [files.providers])
    let client = try await daemon.client()
    let provider = try daemon.launch("/usr/bin/python3", Built.client("provider.py"), Self.name)
    try await provider.prints("serving")
    try await poll { try await client.manager.listProviders().first { $0.name == Self.name }?.state == "running" }
    let flow = try await client.manager.startFlow("coffee").coordinator
    _ = try await client.manager.readState(flow)
    let call = ["dbus-send", "--session", "--print-reply", "--dest=\(Contract.busName)", Contract.rootPath.string]
    let list = try OtherUser.member.launch(on: bus, call + ["\(Contract.managerInterface).ListActive"])
    let listed = await list.ended()
    #expect(listed.status == .exited(0) && listed.output.contains(flow.string), "\(listed)")
    let read = try OtherUser.member.launch(
      on: bus, call + ["\(Contract.managerInterface).ReadState", "objpath:\(flow.string)"])
    let refused = await read.ended()
    #expect(
      refused.status == .exited(1) && refused.errors.contains("only root, the daemon's user and the program"), "\(refused)")
  }

  @Test(
    "'coordinatorctl --system dismiss --force' of root ends flows that cannot be left, and that of another user does not",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func onlyRootForces() async throws {
    let files = try ActivatingBus()
    try files.write("[Provider]\nBusName=\(Self.name)\n[Flow coffee]\nTitle=Coffee\nLeavable=no\n", to: "a.conf")
    let bus = try bus(in: files.bus.directory)
    let daemon = try await RunningDaemon.start(on: bus, Self.options + [files.providers])
    let client = try await daemon.client()
    let provider = try daemon.launch("/usr/bin/python3", Built.client("provider.py"), Self.name)
    try await provider.prints("serving")
    for token in ["one", "two", "three"] {
      _ = try await client.manager.startFlow("coffee", options: Options(token: token))
    }
    let control = [try Built.executable("coordinatorctl"), "--address", bus.address, "dismiss"]
    let member = try await OtherUser.member.launch(on: bus, control + ["--force", "one"]).ended()
    #expect(member.status == .exited(8) && member.errors.contains("only root and the daemon's own user"), "\(member)")
    let asked = try await Program.run(control + ["one"])
    #expect(
      asked.status == .exited(8) && asked.errors.contains("coordinatorctl dismiss --force one"), "\(asked)")
    let one = try await Program.run(control + ["--force", "one"])
    #expect(one.status == .exited(0) && one.output == "The flow was cancelled.\n", "\(one)")
    let rest = try await Program.run(control + ["--force", "--all"])
    #expect(rest.status == .exited(0) && rest.lines.sorted() == ["three was dismissed.", "two was dismissed."], "\(rest)")
    let log = try await daemon.run(
      Built.executable("coordinatorctl"), "log", "--state-dir", "\(bus.directory)/coordinatord", "one")
    #expect(log.lines.contains { $0.contains("dismiss force") && $0.contains("root ") && $0.contains("cancelled") }, "\(log)")
  }
}
