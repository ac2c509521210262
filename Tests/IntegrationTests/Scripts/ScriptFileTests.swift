import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Defective script files", .timeLimit(.minutes(5)))
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
    try world.write("idle", "ask message hello Hello")
    try #require(chmod("\(world.scripts)/idle", 0o600) == 0)
    let engine = try await world.engine(serving: "good", for: client)
    let flow = try await Flow.start("good", client)
    try await flow.shows("hello")
    let provider = try #require(try await client.manager.listProviders().first { $0.flows.contains("good") })
    #expect(provider.flows == ["good", "program"])
    for part in ["\(taken) is left to", "wordy is left out", "foreign: is to run as nobody", "idle: is not executable"] {
      try await poll { engine.errors.contains(part) }
    }
  }

  @Test("Files that do not describe themselves are asked side by side, and do not keep the others from being served")
  func silentFilesDelayNobody() async throws {
    let world = try ScriptWorld()
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    try world.write("good", "ask message hello Hello")
    // Each notes how many of them run, which is more than one only if they are asked concurrently.
    for name in ["a", "b", "c"] {
      try world.writeFile(
        name,
        """
        #!/bin/sh
        echo $$ >>\(world.notes)
        while :; do
          alive=0
          for one in $(cat \(world.notes)); do kill -0 "$one" 2>/dev/null && alive=$((alive + 1)); done
          [ $alive -lt 3 ] || : >\(world.notes).together
          sleep 0.1
        done
        """)
    }
    let engine = try await world.engine(serving: "good", for: client)
    let flow = try await Flow.start("good", client)
    try await flow.shows("hello")
    try await poll { FileManager.default.fileExists(atPath: "\(world.notes).together") }
    try await poll { engine.errors.contains("/a: has not described itself") }
  }

  @Test("A file that is slow to describe itself is served as soon as it has")
  func slowFileIsServed() async throws {
    let world = try ScriptWorld()
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    try world.write("good", "ask message hello Hello")
    try world.writeFile(
      "late",
      """
      #!/bin/sh
      until [ -e \(world.notes).go ]; do sleep 0.05; done
      echo '{"host": true, "flows": [{"name": "late"}]}'
      """)
    let engine = try await world.engine(serving: "good", for: client)
    #expect(try await !client.manager.listFlows().contains { $0.name == "late" })
    _ = try await Program.run(["touch", "\(world.notes).go"])
    try await poll { try await client.manager.listFlows().contains { $0.name == "late" } }
    withExtendedLifetime(engine) {}
  }

  @Test("A file that is asked for its description does not outlive the program that asks", arguments: [SIGTERM, SIGKILL])
  func askedFileEndsWithTheEngine(_ signal: Int32) async throws {
    let world = try ScriptWorld()
    try world.writeFile("silent", "#!/bin/sh\necho $$ >>\(world.notes)\nexec sleep 100000\n")
    let environment = RunningDaemon.environment(of: world.bus).merging(["XDG_RUNTIME_DIR": world.bus.directory]) { $1 }
    let engine = try Program([Built.executable("coordinator-scripts"), "--flows", world.scripts], environment: environment)
    try await poll { !world.noted.isEmpty }
    engine.signal(signal)
    _ = await engine.ended()
    for process in world.noted.compactMap(pid_t.init) { try await poll { kill(process, 0) != 0 } }
  }

  private func rewrite(_ name: String, in world: ScriptWorld, as text: String) throws {
    try ExecutableFile.write(text, to: "\(world.scripts)/\(name)")
  }
}
