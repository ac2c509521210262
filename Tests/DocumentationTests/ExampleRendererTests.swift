import CoordinatorDaemon
import CoordinatorKit
import Flows
import Logging
import TestBus
import Testing

@Test("The example renderer of Docs/writing-renderers.md shows a flow to its end", .timeLimit(.minutes(5)))
func exampleRendererShowsAFlowToItsEnd() async throws {
  let bus = try PrivateBus()
  let (ready, isReady) = AsyncStream.makeStream(of: String.self)
  let daemon = try Daemon(
    catalogue: .builtIn(), configuration: DaemonConfiguration(bus: .address(bus.address)),
    logger: Logger(label: "test", factory: SwiftLogNoOpLogHandler.init)
  ) { isReady.yield($0) }
  let running = Task {
    defer { isReady.finish() }
    try await daemon.run()
  }
  for await _ in ready { break }

  var titles: [String] = []
  let end = try await show("how-to-code", on: .address(bus.address)) { screen in
    titles.append(screen.title)
    return screen.actions.first?.id
  }
  #expect(titles == ["I wake up", "I go out", "500 lines", "Ship it!", "You know how to code"])
  #expect(end == .finished(["steps": 4]))
  running.cancel()
  try await running.value
}
