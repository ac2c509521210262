import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 4: screens are functions")
struct Rule4ScreensTests {
  @Test("Rule 4: a screen follows its coordinator's state, and only the keys that changed are told")
  func updatedKeys() async throws {
    let flow = try await TestFlow.probe()
    await flow.renderer.clearLog()
    try await flow.tell(.note, "hello")
    #expect(await flow.renderer.log == [.updated(ScreenID(1), [.body]), .settled(revision: 2, top: ScreenID(1))])
  }

  @Test("Rule 4: every screen of the coordinator follows, covered ones too, and no screen of another's")
  func onlyItsOwn() async throws {
    let flow = try await TestFlow.probe("one", "two")
    try await flow.tell(.child)
    try await flow.tell(.note, "n")
    #expect(try await flow.screens.map(\.content.body) == ["n", "n", ""])
  }

  @Test("Rule 4: who takes an event may attach messages to the screen it came from, also a child's")
  func attachedByParent() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.send("up")
    #expect(try await flow.top.messages == [.info("taken", "taken by the parent")])
    #expect(try await flow.screens[0].content.body == "up-from-probe_1")
  }

  @Test("Rule 4: attached messages stay until the next event on their screen is accepted")
  func attachedUntilNextEvent() async throws {
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

  @Test("Rule 4: a message that is attached again is no change")
  func attachedAgain() async throws {
    let flow = try await TestFlow.probe()
    try await flow.send("attach")
    await flow.renderer.clearLog()
    try await flow.send("attach")
    #expect(await flow.renderer.log.isEmpty)
  }
}
