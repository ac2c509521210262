import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 4: Screens are functions of state", .timeLimit(.minutes(5)))
struct Rule4ScreensTests {
  @Test("Rule 4: A screen follows its coordinator's state, and only its changed keys are announced")
  func screenFollowsItsCoordinatorsState() async throws {
    let flow = try await TestFlow.probe()
    await flow.renderer.clearLog()
    try await flow.tell(.note, "hello")
    #expect(await flow.renderer.log == [.updated(ScreenID(1), [.body]), .settled(revision: 2, top: ScreenID(1))])
  }

  @Test("Rule 4: All screens of a coordinator follow its state, even covered ones, and no screens of others")
  func onlyScreensOfTheCoordinatorFollow() async throws {
    let flow = try await TestFlow.probe("one", "two")
    try await flow.tell(.child)
    try await flow.tell(.note, "n")
    #expect(try await flow.screens.map(\.content.body) == ["n", "n", ""])
  }

  @Test("Rule 4: The handler of an event may attach messages to the event's screen, even if it is a child's")
  func parentAttachesMessageToChildsScreen() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.send("up")
    #expect(try await flow.top.messages == [.info("taken", "taken by the parent")])
    #expect(try await flow.screens[0].content.body == "up-from-probe_1")
  }

  @Test("Rule 4: An attached message stays until the next event on its screen is accepted")
  func attachedMessageStaysUntilNextEvent() async throws {
    let flow = try await TestFlow.probe()
    try await flow.send("attach")
    #expect(try await flow.top.messages.map(\.code) == ["attached"])
    try await flow.tell(.note, "from elsewhere")
    #expect(try await flow.top.messages.map(\.code) == ["attached"])
    await #expect(throws: CallError.self) { try await flow.send("refuse") }
    #expect(try await flow.top.messages.map(\.code) == ["attached"])
    try await flow.send("note")
    #expect(try await flow.top.messages.isEmpty)
  }

  @Test("Rule 4: Attaching the same message again is not a change")
  func reattachedMessageIsNoChange() async throws {
    let flow = try await TestFlow.probe()
    try await flow.send("attach")
    await flow.renderer.clearLog()
    try await flow.send("attach")
    #expect(await flow.renderer.log.isEmpty)
  }
}
