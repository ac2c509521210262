import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Files with scripts that are not as they should be", .timeLimit(.minutes(5)))
struct ScriptFileTests {
  @Test("A script whose flow is taken, refused or another user's does not keep the others from being served")
  func faultyScriptsAreLeftOut() async throws {
    let world = try ScriptWorld()
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let taken = try #require(try await client.manager.listFlows().first).name
    try world.write(taken, "ask message hello Hello")
    try world.write("good", "ask message hello Hello")
    try world.write("foreign", "# nothing")
    try rewrite("foreign", in: world, as: "#!/bin/sh\n# coordinator: title=Foreign; user=nobody\nask message hello Hello\n")
    let title = String(repeating: "long ", count: 1_000)
    try rewrite("wordy", in: world, as: "#!/bin/sh\n# coordinator: title=\(title)\nask message hello Hello\n")
    let engine = try await world.engine(serving: "good", for: client)
    let flow = try await Flow.start("good", client)
    try await flow.shows("hello")
    let provider = try #require(try await client.manager.listProviders().first { $0.flows.contains("good") })
    #expect(provider.flows == ["good", "program"])
    for part in ["\(taken) is left to", "wordy is left out", "foreign: is to run as nobody"] {
      try await poll { engine.errors.contains(part) }
    }
  }

  @Test("Scripts of the system are not executed as root")
  func rootServesNothing() async throws {
    let program = try Program([Built.executable("coordinator-scripts"), "--system"], environment: [:])
    let end = await program.ended()
    #expect(end.status != .exited(0))
    if geteuid() == 0 { #expect(program.errors.contains("do not run as root")) }
  }

  private func rewrite(_ name: String, in world: ScriptWorld, as text: String) throws {
    let path = "\(world.scripts)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o755)
  }
}
