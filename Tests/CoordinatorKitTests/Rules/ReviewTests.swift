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

  @Test("Only what is under review can be changed")
  func otherScreensCannotBeChanged() async throws {
    let flow = try await Self.start()
    for payload: [String: JSONValue] in [["id": 99], ["id": "host"], [:], ["id": -1]] {
      await #expect(throws: CallError.self) { try await flow.send(ReviewRow.change, payload) }
    }
    #expect(try await flow.names == ["host", "person", "summary"])
  }
}
