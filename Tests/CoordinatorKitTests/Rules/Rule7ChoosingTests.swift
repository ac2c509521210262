import CoordinatorKit
import CoordinatorTestKit
import Testing

/// Lists and actions of which not everything can be chosen.
private actor Chooser: Coordinator {
  static let flow = FlowDescription("chooser", title: "Chooser")

  enum Route: Codable, Hashable { case packages(Int, Int), done(String) }

  let context = Context()

  func start() { router.present(.packages(1, 2)) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .packages(let least, let most):
      .list(
        "packages", title: "Packages",
        items: [
          Item("a", "A", group: "First"), Item("b", "B", group: "First"), Item("c", "C"),
          Item("d", "D", disabled: "it is installed"),
        ],
        actions: [Action("off", "Off").disabled(because: "Not today."), Action("two", "Two").confirming("Sure?")]
      ).choosing(least...most, initial: ["a"]).step(2, of: 3)
    case .done(let text): .message("done", title: Text(verbatim: text))
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case Event.select: router.present(.done(try event.selections.joined(separator: " ")))
    case "two": router.replace(with: .packages(2, 3))
    default: router.present(.done(event.name))
    }
  }
}

@Suite("Rule 7: What can be chosen", .timeLimit(.minutes(5)))
struct Rule7ChoosingTests {
  private func refusal(_ flow: TestFlow, _ payload: [String: JSONValue]) async -> [String: String]? {
    do {
      try await flow.send(Event.select, payload)
      return nil
    } catch CallError.invalidPayload(let reasons) {
      return reasons
    } catch {
      return ["": String(describing: error)]
    }
  }

  @Test("Rule 7: Several rows of a list are chosen at once")
  func severalAreChosen() async throws {
    let flow = try await TestFlow.start { Chooser() }
    try await flow.send(Event.select, ["ids": ["a", "c"]])
    #expect(try await flow.top.content.title == "a c")
  }

  @Test("Rule 7: A renderer that knows only single choice chooses one row, if one is enough")
  func oneIsChosen() async throws {
    let flow = try await TestFlow.start { Chooser() }
    try await flow.select("b")
    #expect(try await flow.top.content.title == "b")
    try await flow.back()
    try await flow.send("two")
    #expect(await refusal(flow, ["id": "b"]) != nil)
  }

  @Test("Rule 7: Too many, too few, repeated, unknown and disabled rows are refused")
  func wrongChoicesAreRefused() async throws {
    let flow = try await TestFlow.start { Chooser() }
    for ids: JSONValue in [["a", "b", "c"], [], ["a", "a"], ["x"], ["d"], "a", [1]] {
      #expect(await refusal(flow, ["ids": ids])?.keys.first == "ids", "\(ids)")
    }
    #expect(await refusal(flow, ["id": "d"]) == ["id": "cannot be chosen: it is installed"])
    #expect(try await flow.names == ["packages"])
  }

  @Test("Rule 7: A disabled action is denied with the author's reason, and an event with a confirmation is taken")
  func disabledActionIsDenied() async throws {
    let flow = try await TestFlow.start { Chooser() }
    await #expect(throws: CallError.refused(.denied("Not today."))) { try await flow.send("off") }
    try await flow.send("two")
    #expect(try await flow.top.content.choosing == Choosing(initial: ["a"], count: 2...3))
  }
}
