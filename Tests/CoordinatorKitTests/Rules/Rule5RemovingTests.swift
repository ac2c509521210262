import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 5: removing and covering")
struct Rule5RemovingTests {
  @Test("Rule 5: removing a screen removes everything above it in its layer, and every layer above")
  func removesEverythingAbove() async throws {
    let flow = try await TestFlow.probe("a", "b")
    try await flow.tell(.push, "c")
    try await flow.tell(.modal, "d")
    await flow.renderer.clearLog()
    try await flow.tell(.popTo, "a")
    #expect(try await flow.names == ["a"])
    #expect(
      await flow.renderer.log.prefix(3) == [
        .dismissed(ScreenID(4), .dismissed), .dismissed(ScreenID(3), .dismissed), .dismissed(ScreenID(2), .dismissed),
      ])
  }

  @Test("Rule 5: dismissing a coordinator removes its screens and those of its children, wherever they are")
  func dismissingACoordinator() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .child, "modal")
    try await flow.tell(flow.path("probe_1"), .push, "under")
    #expect(try await flow.names == ["first", "first", "under", "first"])
    try await flow.dismiss(flow.path("probe_1"))
    #expect(try await flow.names == ["first"])
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("Rule 5: a push lands on top of its coordinator's layer, below higher layers")
  func pushLandsBelow() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child, "modal")
    try await flow.tell(.push, "below")
    #expect(try await flow.names == ["first", "below", "first"])
    #expect(try await flow.screens.map(\.layer) == [0, 0, 1])
    #expect(try await flow.top.style == .modal)
  }

  @Test("Rule 5: a modal is always the new top layer")
  func modalIsOnTop() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child, "modal")
    try await flow.tell(.modal, "higher")
    #expect(try await flow.screens.map(\.layer) == [0, 1, 2])
    #expect(try await flow.top.coordinator == flow.tree.root)
  }

  @Test("Rule 5: Back acts on the top screen of the top layer only")
  func backOnTop() async throws {
    let flow = try await TestFlow.probe("a", "b")
    await #expect(throws: CallError.staleScreen(ScreenID(1), .covered)) { try await flow.call(.back(ScreenID(1))) }
    try await flow.back()
    #expect(try await flow.names == ["a"])
    #expect(await flow.renderer.log.contains(.dismissed(ScreenID(2), .back)))
    await #expect(throws: CallError.staleScreen(ScreenID(2), .gone)) { try await flow.call(.back(ScreenID(2))) }
    await #expect(throws: CallError.unknownScreen(ScreenID(9))) { try await flow.call(.back(ScreenID(9))) }
  }

  @Test("Rule 5: the coordinator is told that its user went back, in the same transition, and may refuse")
  func toldOfBack() async throws {
    let flow = try await TestFlow.probe("a", "b")
    #expect(try await flow.back() == .revision(2))
    #expect(try await flow.top.content.body == "back")
    try await flow.tell(.note, "stay")
    try await flow.tell(.push, "c")
    await #expect(throws: CallError.refused(.denied("stay here"))) { try await flow.back() }
    #expect(try await flow.names == ["a", "c"])
  }

  @Test("Rule 5: Back on the first screen of a coordinator ends it as cancelled")
  func backOnFirst() async throws {
    let flow = try await TestFlow.probe()
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
    #expect(await flow.renderer.log.contains(.dismissed(ScreenID(1), .back)))
    #expect(await flow.renderer.log.contains(.settled(revision: 2, top: nil)))
  }

  @Test("Rule 5: Back on the first screen of a modal layer removes the layer")
  func backOnModal() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.modal, "over")
    try await flow.back()
    #expect(try await flow.names == ["first"])
    #expect(try await flow.state.isAlive)
  }

  @Test("Rule 5: a route may say that Back does not leave it, and a screen of a window router never can be")
  func noBack() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.push, "locked")
    #expect(try await flow.screens.map(\.back) == [true, false])
    await #expect(throws: CallError.refused(.notDismissable("the screen locked cannot be left by going back"))) {
      try await flow.back()
    }
    try await flow.tell(.root, "root")
    #expect(try await flow.screens.map(\.style) == [.root])
    #expect(try await flow.screens.map(\.back) == [false])
    await #expect(throws: CallError.self) { try await flow.back() }
  }

  @Test("Rule 5: what a window router replaces is told as replaced")
  func replacedRoot() async throws {
    let flow = try await TestFlow.probe("a", "b")
    await flow.renderer.clearLog()
    try await flow.tell(.root, "root")
    #expect(
      await flow.renderer.log == [
        .dismissed(ScreenID(2), .replaced), .dismissed(ScreenID(1), .replaced),
        .presented(ScreenID(3), "root", .root, layer: 0), .settled(revision: 2, top: ScreenID(3)),
      ])
  }

  @Test("Rule 5: a screen that stands in another's place has its style and layer")
  func replacing() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.modal, "over")
    try await flow.tell(.replace, "instead")
    #expect(try await flow.top.style == .modal)
    #expect(try await flow.top.layer == 1)
    #expect(try await flow.names == ["first", "instead"])
  }

  @Test("Rule 5: who loses its last screen to somebody else's doing ends as cancelled, and its parent is told")
  func collateral() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.child)
    try await flow.dismiss(flow.path("probe_1"))
    #expect(try await flow.coordinators == ["flow_1"])
    #expect(try await flow.top.content.body == "probe_1=cancelled probe_2=cancelled")
  }
}
