import CoordinatorKit
import CoordinatorTestKit
import Testing

/// Two forms, one of them in a child, and a screen on which they are checked.
private actor Wizard: Coordinator {
  static let flow = FlowDescription("wizard", title: "Wizard")

  enum Route: Codable, Hashable { case host, summary }

  let context = Context()

  func start() { router.present(.host) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .host:
      .form(
        "host", title: "Host",
        form: Form(Field("host", .string(title: "Host name")), Field("loud", .boolean(title: "Loud")).optional),
        actions: [.primary("next", "Next")])
    case .summary:
      .message("summary", title: "Check your answers", actions: [.primary("apply", "Apply")]).reviewing(review())
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    if route == .host { try startChild(Person.self) } else { finish() }
  }

  func childEmitted(_ output: ChildOutput) { router.present(.summary) }
}

private actor Person: Coordinator {
  static let flow = FlowDescription("person", title: "Person")

  enum Route: Codable, Hashable { case person }
  enum Output: Codable { case done }

  let context = Context()

  func start() { router.present(.person) }

  func screen(for route: Route) -> Screen {
    .form(
      "person", title: "You",
      form: Form(
        Field("size", .choice(title: "Size", [("s", "Small"), ("l", "Large")])), Field("password", .secret(title: "Password"))),
      actions: [.primary("next", "Next")])
  }

  func receive(_ event: Event, on route: Route) { emit(.done) }
}

/// A form, or several of one name, and a summary from which no way leads back.
private actor Barrier: Coordinator {
  static let flow = FlowDescription("barrier", title: "Barrier")

  enum Route: Codable, Hashable { case form(Int), summary }
  struct State: FlowState { var isBusy = false }

  let context = Context()

  func start() { router.present(.form(1)) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .form:
      return .form(
        "form", title: "Form", form: Form(Field("name", .string(title: "Name"))),
        actions: [.primary("next", "Next")])
    case .summary:
      let screen = Screen.message("summary", title: "Summary", actions: [Action("busy", "Busy")]).reviewing(review())
      return state.isBusy ? screen.busy() : screen
    }
  }

  func allowsBack(from route: Route) -> Bool { route != .summary }

  func receive(_ event: Event, on route: Route) {
    switch (route, event.name) {
    case (.form(1), "next"): router.present(event.payload.string("name") == "ada" ? .summary : .form(2))
    case (.form, _): router.present(.summary)
    case (.summary, _): state.isBusy = true
    }
  }
}

@Suite("Review of answers", .timeLimit(.minutes(5)))
struct ReviewTests {
  private static func start() async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { Wizard() }
    try catalogue.add { Person() }
    let flow = try await TestFlow.start("wizard", in: catalogue)
    try await flow.send("next", ["host": "tea", "loud": true])
    try await flow.send("next", ["size": "l", "password": "hunter2"])
    return flow
  }

  @Test("Answers of the flow and of its children are shown as people read them, secrets as dots")
  func answersAreShown() async throws {
    let flow = try await Self.start()
    #expect(try await flow.top.content.review.map(\.title) == ["Host name", "Loud", "Size", "Password"])
    #expect(try await flow.top.content.review.map(\.value) == ["tea", "yes", "Large", "••••••"])
    #expect(try await flow.restarted().top.content.review.map(\.value) == ["tea", "yes", "Large", "••••••"])
  }

  @Test("Change leads to the form of the answer, with what it held, and on again to the review")
  func answerIsChanged() async throws {
    let flow = try await Self.start()
    let row = try await #require(flow.top.content.review.first?.screen)
    try await flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    #expect(try await flow.names == ["host"])
    #expect(try await flow.top.draft == ["host": "tea", "loud": true])
    try await flow.send("next", ["host": "coffee"])
    try await flow.send("next", ["size": "s", "password": "x"])
    #expect(try await flow.top.content.review.map(\.value) == ["coffee", "Small", "••••••"])
  }

  @Test("What the later forms held is shown again on the way back to the review")
  func laterFormsKeepTheirAnswers() async throws {
    let flow = try await Self.start()
    let row = try await #require(flow.top.content.review.first?.screen)
    try await flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
    try await flow.send("next", ["host": "coffee"])
    // The child was dismissed with its screens, and with what they held; it is a new one.
    #expect(try await flow.names == ["host", "person"])
    #expect(try await flow.coordinators.last == "flow_1/person_2")
  }

  @Test("Nothing is changed behind a screen that Back does not lead from, or while the screen is busy")
  func barriersAreKept() async throws {
    let flow = try await TestFlow.start { Barrier() }
    try await flow.send("next", ["name": "ada"])
    let row = try await #require(flow.top.content.review.first?.screen)
    let payload: [String: JSONValue] = ["id": .integer(Int64(row.number))]
    await #expect(throws: CallError.self) { try await flow.send(ReviewRow.change, payload) }
    try await flow.send("busy")
    await #expect(throws: CallError.self) { try await flow.send(ReviewRow.change, payload) }
    #expect(try await flow.names == ["form", "summary"])
  }

  @Test("Two screens of one name keep their answers apart")
  func screensOfOneNameAreApart() async throws {
    let flow = try await TestFlow.start { Barrier() }
    try await flow.send("next", ["name": "bob"])
    try await flow.send("next", ["name": "carl"])
    #expect(try await flow.top.content.review.map(\.value) == ["bob", "carl"])
  }

  @Test("Only what is under review can be changed")
  func otherScreensCannotBeChanged() async throws {
    let flow = try await Self.start()
    for payload: [String: JSONValue] in [["id": 99], ["id": "host"], [:], ["id": -1]] {
      await #expect(throws: CallError.self) { try await flow.send(ReviewRow.change, payload) }
    }
    #expect(try await flow.names == ["host", "person", "summary"])
  }
}
