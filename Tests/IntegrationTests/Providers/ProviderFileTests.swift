import CoordinatorBus
import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Provider files of coordinatord", .timeLimit(.minutes(5)))
struct ProviderFileTests {
  private static let name = "com.example.Cafe"

  @Test("A flow of a file is started, left by its idle program, and finished by the program that the bus starts again")
  func activatedProgram() async throws {
    let activating = try ActivatingBus([Self.name: "/usr/bin/python3 \(Built.client("provider.py")) \(Self.name) 0.2"])
    try activating.serve("coffee", by: Self.name, "Title=The café")
    let daemon = try await RunningDaemon.start(on: activating.bus, ["--providers", activating.providers])
    let tool = try Built.executable("coordinatorctl")
    let flows = try await daemon.run(tool, "flows", "--json")
    #expect(flows.output.contains(#""name":"coffee","provider":"com.example.Cafe""#), "\(flows)")
    let first = try await daemon.run(tool, "providers")
    #expect(first.output.contains(/com\.example\.Cafe +activatable +0 +0 +coffee\n/), "\(first)")
    #expect(first.output.contains("  \(activating.providers)/a.conf\n"), "\(first)")
    #expect(first.output.contains("built in"), "\(first)")
    let start = try await daemon.run(tool, "start", "coffee", "--token", "mine")
    #expect(start.status == .exited(0), "\(start)")
    let show = try await daemon.run(tool, "show", "mine", "--json")
    #expect(show.output.contains(#""origin":{"name":"com.example.Cafe","title":"The café"}"#), "\(show)")
    try await poll { try await daemon.run(tool, "providers").output.contains(/activatable +1 +0/) }
    let send = try await daemon.run(tool, "send", "mine", "large")
    #expect(send.status == .exited(0), "\(send)")
    let outcome = try await daemon.run(tool, "run", "coffee", "--token", "mine")
    #expect(outcome.output.contains("large"), "\(outcome)")
    let json = try await daemon.run(tool, "providers", "--json")
    #expect(json.output.contains(#""origin":"file""#) && json.output.contains(#""title":"The café""#), "\(json)")
  }

  @Test("'provider check' says what a file gives to whom or, with its line, what is wrong, without a daemon")
  func checkFiles() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", "tea", by: Self.name, in: "good.conf")
    try activating.write("[Provider]\nBusName=cafe\n[Flow coffee]\nTitle=Coffee\nInput=none.json\n", to: "bad.conf")
    let tool = try Built.executable("coordinatorctl")
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
    func check(_ arguments: String...) async throws -> ProgramReport {
      try await Program.run([tool, "provider", "check"] + arguments, environment: environment)
    }
    let (good, bad) = ("\(activating.providers)/good.conf", "\(activating.providers)/bad.conf")
    let right = try await check(good)
    #expect(right.status == .exited(0) && right.output == "\(good): \(Self.name) serves coffee tea\n", "\(right)")
    let wrong = try await check(bad, good)
    #expect(wrong.status == .exited(1), "\(wrong)")
    for line in ["\(bad):2: BusName=cafe: expected a well-known bus name", "\(bad):5: Input=none.json: no such file"] {
      #expect(wrong.output.contains(line), "\(wrong)")
    }
    let json = try await check("--json", bad)
    #expect(json.output.contains(#""place":"\#(bad):5""#), "\(json)")
    #expect(try await check().status == .exited(64))
  }

  @Test("--check-config names what is wrong in provider files, with status 78, and lists who serves what")
  func checkConfig() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", "pets", by: Self.name)
    func check() async throws -> ProgramReport {
      try await Program.run(
        [Built.executable("coordinatord"), "--check-config", "--providers", activating.providers],
        environment: RunningDaemon.environment(of: activating.bus))
    }
    let right = try await check()
    #expect(right.status == .exited(0), "\(right)")
    #expect(right.output.contains("# Provider file: \(activating.providers)/a.conf: \(Self.name): coffee\n"), "\(right)")
    #expect(right.output.contains("#   without pets: pets is built into the daemon\n"), "\(right)")
    try activating.write("[Provider]\nBusName=\(Self.name)\n[Flow tea]\n", to: "b.conf")
    let wrong = try await check()
    #expect(wrong.status == .exited(78), "\(wrong)")
    #expect(wrong.errors.contains("\(activating.providers)/b.conf:3: [Flow tea]: lacks Title="), "\(wrong)")
    // The file affects only its own flows.
    let daemon = try await RunningDaemon.start(on: activating.bus, ["--providers", activating.providers])
    #expect(try await daemon.client().manager.listFlows().contains { $0.name == "coffee" && $0.provider == Self.name })
    #expect(daemon.program.errors.contains("b.conf:3: [Flow tea]: lacks Title="))
  }

  @Test("SIGHUP reads the files of another directory, and 'provider retry' says that nothing is held")
  func reload() async throws {
    let activating = try ActivatingBus()
    let file = "\(activating.bus.directory)/c.conf"
    try Data("[Daemon]\n".utf8).write(to: URL(filePath: file))
    let daemon = try await RunningDaemon.start(on: activating.bus, ["--config", file])
    try activating.serve("coffee", by: Self.name)
    try Data("[Flows]\nProviders=\(activating.providers)\n".utf8).write(to: URL(filePath: file), options: .atomic)
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded changed=Providers")
    let client = try await daemon.client()
    #expect(try await client.manager.listFlows().contains { $0.name == "coffee" })
    let root = try await client.manager.startFlow("pets", options: Options(token: "mine")).coordinator
    let tool = try Built.executable("coordinatorctl")
    #expect(try await daemon.run(tool, "provider", "retry").output == "0 no longer held, 0 still held\n")
    let retry = try await daemon.run(tool, "provider", "retry", root.string)
    #expect(retry.status == .exited(0) && retry.output == "not held\n", "\(retry)")
  }
}
