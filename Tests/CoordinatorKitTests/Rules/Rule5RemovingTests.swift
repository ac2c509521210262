import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 5: Removing and covering screens", .timeLimit(.minutes(5)))
struct Rule5RemovingTests {
  @Test("Rule 5: Removing a screen removes everything above it in its layer and all layers above")
  func removingScreenRemovesEverythingAbove() async throws {
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

  @Test("Rule 5: Dismissing a coordinator removes its screens and those of its children, wherever they are")
  func dismissedCoordinatorLosesAllScreens() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .child, "modal")
    try await flow.tell(flow.path("probe_1"), .push, "under")
    #expect(try await flow.names == ["first", "first", "under", "first"])
    try await flow.cancel(flow.path("probe_1"))
    #expect(try await flow.names == ["first"])
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("Rule 5: A push lands on top of its coordinator's layer, below higher layers")
  func pushLandsBelowHigherLayers() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child, "modal")
    try await flow.tell(.push, "below")
    #expect(try await flow.names == ["first", "below", "first"])
    #expect(try await flow.screens.map(\.layer) == [0, 0, 1])
    #expect(try await flow.top.style == .modal)
  }

  @Test("Rule 5: A modal screen always becomes the new top layer")
  func modalBecomesTopLayer() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child, "modal")
    try await flow.tell(.modal, "higher")
    #expect(try await flow.screens.map(\.layer) == [0, 1, 2])
    #expect(try await flow.top.coordinator == flow.tree.root)
  }

  @Test("Rule 5: Back acts only on the top screen of the top layer")
  func backActsOnTopScreenOnly() async throws {
    let flow = try await TestFlow.probe("a", "b")
    await #expect(throws: CallError.staleScreen(ScreenID(1), .covered)) { try await flow.call(.back(ScreenID(1))) }
    try await flow.back()
    #expect(try await flow.names == ["a"])
    #expect(await flow.renderer.log.contains(.dismissed(ScreenID(2), .back)))
    await #expect(throws: CallError.staleScreen(ScreenID(2), .gone)) { try await flow.call(.back(ScreenID(2))) }
    await #expect(throws: CallError.unknownScreen(ScreenID(9))) { try await flow.call(.back(ScreenID(9))) }
  }

  @Test("Rule 5: A coordinator is notified of Back in the same transition and may refuse it")
  func coordinatorMayRefuseBack() async throws {
    let flow = try await TestFlow.probe("a", "b")
    #expect(try await flow.back() == .revision(2))
    #expect(try await flow.top.content.body == "back")
    try await flow.tell(.note, "stay")
    try await flow.tell(.push, "c")
    await #expect(throws: CallError.refused(.denied("stay here"))) { try await flow.back() }
    #expect(try await flow.names == ["a", "c"])
  }

  @Test("Rule 5: Back on the first screen of a coordinator ends it as cancelled")
  func backOnFirstScreenCancelsCoordinator() async throws {
    let flow = try await TestFlow.probe()
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
    #expect(await flow.renderer.log.contains(.dismissed(ScreenID(1), .back)))
    #expect(await flow.renderer.log.contains(.settled(revision: 2, top: nil)))
  }

  @Test("Rule 5: Back on the first screen of a modal layer removes the layer")
  func backOnModalRemovesItsLayer() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.modal, "over")
    try await flow.back()
    #expect(try await flow.names == ["first"])
    #expect(try await flow.state.isAlive)
  }

  @Test("Rule 5: A route may disallow Back, and a screen of a window router never allows it")
  func routeAndWindowMayDisallowBack() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.push, "locked")
    #expect(try await flow.screens.map(\.back) == [true, false])
    await #expect(throws: CallError.refused(.notDismissable("cannot go back from the screen locked"))) {
      try await flow.back()
    }
    try await flow.tell(.root, "root")
    #expect(try await flow.screens.map(\.style) == [.root])
    #expect(try await flow.screens.map(\.back) == [false])
    await #expect(throws: CallError.self) { try await flow.back() }
  }

  @Test("Rule 5: Screens that a window router replaces are announced as replaced")
  func windowRouterReportsReplacedScreens() async throws {
    let flow = try await TestFlow.probe("a", "b")
    await flow.renderer.clearLog()
    try await flow.tell(.root, "root")
    #expect(
      await flow.renderer.log == [
        .dismissed(ScreenID(2), .replaced), .dismissed(ScreenID(1), .replaced),
        .presented(ScreenID(3), "root", .root, layer: 0), .settled(revision: 2, top: ScreenID(3)),
      ])
  }

  @Test("Rule 5: A replacement screen keeps the style and layer of the replaced one")
  func replacementKeepsStyleAndLayer() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.modal, "over")
    try await flow.tell(.replace, "instead")
    #expect(try await flow.top.style == .modal)
    #expect(try await flow.top.layer == 1)
    #expect(try await flow.names == ["first", "instead"])
  }

  @Test("Rule 5: A coordinator that loses its last screen to another one ends as cancelled, and its parent learns it")
  func losingTheLastScreenCancelsCoordinator() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.child)
    try await flow.cancel(flow.path("probe_1"))
    #expect(try await flow.coordinators == ["flow_1"])
    #expect(try await flow.top.content.body == "probe_1=cancelled probe_2=cancelled")
  }
}
