import CoordinatorKit
import CoordinatorTestKit
import Testing

/// A question whose words, actions and items change by events from no screen.
private actor Question: Coordinator {
  static let flow = FlowDescription("question", title: "Question")

  enum Route: Codable, Hashable { case ask, list, form, done(String) }
  struct State: FlowState {
    var disk = "sda"
    var extra = 0
    var length = 8
  }

  let context = Context()

  func start() { router.present(.ask) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .ask:
      .message(
        "ask", title: Text(verbatim: "Erase \(state.disk)?"),
        actions: [.destructive("erase", "Erase")] + (0..<state.extra).map { Action("extra-\($0)", "Extra") })
    case .list:
      .list(
        "list", title: Text(verbatim: "\(state.extra) disks"),
        items: [Item("disk", Text(verbatim: state.disk))] + (0..<state.extra).map { Item("x\($0)", "X") })
    case .form:
      .form(
        "form", title: "Form", form: Form(Field("name", .string(title: "Name", length: 0...state.length))),
        values: ["name": .string(state.disk)], actions: [.primary("send", "Send")])
    case .done(let text): .message("done", title: Text(verbatim: text))
    }
  }

  func receive(_ event: Event) throws {
    switch event.name {
    case "disk": state.disk = "sdb"
    case "extra": state.extra += 1
    case "fewer": state.extra -= 1
    case "length": state.length = 9
    case "list": router.replace(with: .list)
    case "form": router.replace(with: .form)
    default: throw event.notTaken
    }
  }

  func receive(_ event: Event, on route: Route) { router.present(.done("\(event.name) \(state.disk)")) }
}

@Suite("Rule 6: What makes an answer stale", .timeLimit(.minutes(5)))
struct Rule6SeenTests {
  /// Shows a screen, changes it, and sends the answer of a user who has not seen the change.
  private func answer(
    _ event: String, _ payload: [String: JSONValue] = [:], on screen: String? = nil, before: [String] = [],
    after changes: String...
  ) async throws -> Bool {
    let flow = try await TestFlow.start { Question() }
    if let screen { try await flow.sendWithoutScreen(screen) }
    for change in before { try await flow.sendWithoutScreen(change) }
    let seen = try await flow.state.revision
    let top = try await flow.top
    for change in changes { try await flow.sendWithoutScreen(change) }
    do {
      try await flow.send(event, payload, from: top, seen: seen)
      return true
    } catch CallError.staleScreen(_, .changed) {
      return false
    }
  }

  @Test("Rule 6: \"Erase sda?\" that became \"Erase sdb?\" under the same action is not answered")
  func changedQuestionIsStale() async throws {
    #expect(try await answer("erase", after: "disk") == false)
    #expect(try await answer("erase"))
  }

  @Test("Rule 6: Another action that comes or goes makes no answer stale")
  func otherActionsDoNotMatter() async throws {
    #expect(try await answer("erase", after: "extra"))
    #expect(try await answer("extra-0", before: ["extra", "extra"], after: "fewer"))
    #expect(try await answer("extra-1", before: ["extra", "extra"], after: "fewer") == false)
  }

  @Test("Rule 6: Another item that comes or goes makes no answer stale, nor does the title of a list")
  func otherItemsDoNotMatter() async throws {
    #expect(try await answer("select", ["id": "disk"], on: "list", after: "extra"))
    #expect(try await answer("select", ["id": "disk"], on: "list", after: "extra", "fewer"))
  }

  @Test("Rule 6: A chosen item of which any key changed is stale, and so is one that is gone")
  func changedItemIsStale() async throws {
    #expect(try await answer("select", ["id": "disk"], on: "list", after: "disk") == false)
    #expect(try await answer("select", ["id": "disk"], on: "list", after: "disk", "extra") == false)
    #expect(try await answer("select", ["id": "x0"], on: "list", before: ["extra"], after: "fewer") == false)
  }

  @Test("Rule 6: Another schema makes a form stale, other values do not")
  func changedSchemaIsStale() async throws {
    #expect(try await answer("send", ["name": "ada"], on: "form", after: "length") == false)
    #expect(try await answer("send", ["name": "ada"], on: "form", after: "disk"))
  }

  @Test("Rule 6: What is unknown after a restart counts as changed")
  func restartForgetsWhatChanged() async throws {
    let flow = try await TestFlow.start { Question() }
    let seen = try await flow.state.revision
    try await flow.sendWithoutScreen("extra")
    let restarted = try await flow.restarted()
    let top = try await restarted.top
    await #expect(throws: CallError.self) { try await restarted.send("erase", from: top, seen: seen) }
    try await restarted.send("erase", from: top, seen: seen + 1)
  }
}
