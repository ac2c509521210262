import CoordinatorKit
import CoordinatorTestKit
import Testing

/// Two forms, one after the other.
private actor Forms: Coordinator {
  static let flow = FlowDescription("forms", title: "Forms")

  enum Route: Codable, Hashable { case first, second, third }

  let context = Context()

  func start() { router.present(.first) }

  func screen(for route: Route) -> Screen {
    .form(
      "\(route)", title: "Form",
      form: Form(Field("name", .string(title: "Name")), Field("key", .secret(title: "Key")).optional),
      actions: [.primary("next", "Next"), Action("again", "Again")])
  }

  func receive(_ event: Event, on route: Route) {
    switch (route, event.name) {
    case (_, "again"): router.replace(with: route)
    case (.first, _): router.present(.second)
    default: router.present(.third)
    }
  }
}

/// A flow that its user cannot leave.
private actor Kiosk: Coordinator {
  static let flow = FlowDescription("kiosk", title: "Kiosk", canBeLeft: false)
  enum Route: Codable, Hashable { case first, second }
  let context = Context()
  func start() { router.present(.first) }
  func screen(for route: Route) -> Screen { .message("\(route)", title: "Kiosk", actions: [.primary("next", "Next")]) }
  func receive(_ event: Event, on route: Route) { router.present(.second) }
}

/// A flow that cannot be left and has only children.
private actor KioskParent: Coordinator {
  static let flow = FlowDescription("kiosk-parent", title: "Kiosk", canBeLeft: false)
  let context = Context()
  func start() throws { try startChild(Forms.self) }
}

@Suite("Rule 5: Leaving, and what forms held", .timeLimit(.minutes(5)))
struct Rule5LeavingTests {
  private func draft(_ values: [String: JSONValue], in flow: TestFlow) async throws {
    try await flow.call(.saveDraft(flow.top.id, values))
  }

  @Test("Rule 5: What a form held when Back removed it is shown again when its coordinator presents it again")
  func removedFormComesBack() async throws {
    let flow = try await TestFlow.start { Forms() }
    try await flow.send("next", ["name": "ada", "key": "hunter2"])
    try await draft(["name": "half ty"], in: flow)
    try await flow.back()
    try await flow.send("next", ["name": "ada"])
    #expect(try await flow.top.draft == ["name": "half ty"])
  }

  @Test("Rule 5: Back shows a form as it was sent, without secrets, also after a restart")
  func sentFormComesBack() async throws {
    let flow = try await TestFlow.start { Forms() }
    try await flow.send("next", ["name": "ada", "key": "hunter2"])
    try await flow.send("next", ["name": "grace"])
    let restarted = try await flow.restarted()
    try await restarted.back()
    #expect(try await restarted.top.draft == ["name": "grace"])
    try await restarted.back()
    #expect(try await restarted.top.draft == ["name": "ada"])
    try await restarted.send("next", ["name": "ada"])
    #expect(try await restarted.top.draft == ["name": "grace"])
  }

  @Test("Rule 5: A form that is presented again without Back is empty")
  func replacedFormIsEmpty() async throws {
    let flow = try await TestFlow.start { Forms() }
    try await flow.send("next", ["name": "ada"])
    try await flow.send("next", ["name": "grace"])
    try await flow.back()
    try await flow.send("again")
    #expect(try await flow.top.draft == [:])
  }

  @Test("Rule 5: A screen says that Back ends the flow, and only the first screen of the root does")
  func firstScreenLeaves() async throws {
    let flow = try await TestFlow.start { Forms() }
    #expect(try await flow.screens.map(\.leaves) == [true])
    try await flow.send("next", ["name": "ada"])
    #expect(try await flow.screens.map(\.leaves) == [true, false])
    #expect(try await flow.restarted().screens.map(\.leaves) == [true, false])
  }

  @Test("Rule 5: A flow that cannot be left is not left by Back on the first screen of a child either")
  func childOfKioskCannotBeLeft() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { KioskParent() }
    try catalogue.add { Forms() }
    let flow = try await TestFlow.start("kiosk-parent", in: catalogue)
    #expect(try await flow.top.back == false)
    try await flow.send("next", ["name": "ada"])
    #expect(try await flow.top.back)
  }

  @Test("Rule 5: A flow that cannot be left is neither left by Back nor dismissed")
  func kioskCannotBeLeft() async throws {
    let flow = try await TestFlow.start { Kiosk() }
    #expect(try await flow.top.back == false)
    #expect(try await flow.top.leaves == false)
    await #expect(throws: CallError.self) { try await flow.back() }
    await #expect(throws: CallError.self) { try await flow.cancel() }
    try await flow.send("next")
    #expect(try await flow.top.back)
    try await flow.back()
    #expect(try await flow.names == ["first"])
  }

  @Test("Rule 5: An administrator ends a flow that cannot be left by force")
  func kioskEndsByForce() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { KioskParent() }
    try catalogue.add { Forms() }
    let flow = try await TestFlow.start("kiosk-parent", in: catalogue)
    await #expect(throws: CallError.self) { try await flow.cancel() }
    try await flow.call(.dismiss(flow.tree.root, animated: true, isForced: true))
    #expect(try await flow.outcome == .cancelled)
  }
}
