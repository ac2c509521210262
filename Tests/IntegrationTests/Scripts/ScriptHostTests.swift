import CoordinatorClient
import CoordinatorKit
import Glibc
import TestBus
import Testing

@Suite("A process that has many runs", .timeLimit(.minutes(5)))
struct ScriptHostTests {
  private static let flows = """
    def work():
        note("begun")
        while not os.path.exists(f"{NOTES}.go"):
            time.sleep(0.02)

    def die():
        note("died")
        os._exit(1)

    @flow("innocent", title="Innocent")
    async def innocent(ui):
        await ui.menu("go", "Go?", yes="Yes")
        await ui.step("work", work)
        await ui.message("done", "Done")

    @flow("poison", title="Poison")
    async def poison(ui):
        await ui.menu("go", "Go?", yes="Yes")
        await ui.step("die", die)

    @flow("sudden", title="Sudden")
    async def sudden(ui):
        await ui.menu("go", "Go?", yes="Yes")
        os._exit(1)

    serve(innocent, poison, sudden)
    """

  @Test("A flow that ends the process of its script again and again is held, and none of the twelve beside it ever is")
  func onlyThePoisonedFlowIsHeld() async throws {
    let world = try ScriptWorld()
    try world.writePython("many.py", Self.flows)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "poison", for: client)
    var siblings: [Flow] = []
    for number in 0..<12 {
      let flow = try await Flow.start("innocent", client)
      siblings.append(flow)
      try await flow.shows("go")
      // Half of them wait for an answer meanwhile.
      if number.isMultiple(of: 2) { try await flow.send("yes") }
    }
    try await poll { world.noted.count { $0 == "begun" } >= 6 }
    let poison = try await Flow.start("poison", client)
    try await poison.shows("go")
    try await poison.send("yes")
    // Each time a client retries it, it dies again.
    try await poll {
      if try await poison.coordinator.held()?.contains("has ended 3 times") == true { _ = try await client.manager.retryHeld() }
      return world.noted.count { $0 == "died" } >= 7
    }
    for flow in siblings { #expect(try await flow.coordinator.held() == nil) }
    _ = try await Program.run(["touch", "\(world.notes).go"])
    for (number, flow) in siblings.enumerated() {
      if !number.isMultiple(of: 2) { try await flow.send("yes") }
      try await flow.shows("done")
    }
    withExtendedLifetime(engine) {}
  }

  @Test("A flow that ends the process while it runs on does not fail the answers that others give at that moment")
  func othersAreAnswered() async throws {
    let world = try ScriptWorld()
    try world.writePython("many.py", Self.flows)
    _ = try await Program.run(["touch", "\(world.notes).go"])
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "sudden", for: client)
    let sudden = try await Flow.start("sudden", client)
    try await sudden.shows("go")
    for _ in 0..<6 {
      let other = try await Flow.start("innocent", client)
      async let death: Void = { _ = try? await sudden.send("yes") }()
      try await other.shows("go")
      try await other.send("yes")
      try await other.shows("done")
      await death
    }
    withExtendedLifetime(engine) {}
  }
}
