import CoordinatorKit
import CoordinatorTestKit
import Testing

/// Lets only one user through, and shows who it was.
private actor Door: Coordinator {
  static let flow = FlowDescription("door", title: "Door")

  enum Route: Codable, Hashable { case closed, open(UInt32) }

  let context = Context()

  func start() { router.present(.closed) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .closed: .message("closed", title: "Closed", actions: [Action("enter", "Enter")])
    case .open(let user): .message("open", title: Text(verbatim: "\(user)"))
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    guard let user = caller?.user, user == 1_000 else { throw Refusal.denied("only user 1000 may enter") }
    router.present(.open(user))
  }
}

@Suite("Who calls", .timeLimit(.minutes(5)))
struct CallerTests {
  private func enter(_ flow: TestFlow, as caller: Caller?) async throws -> Result<TreeAnswer, CallError> {
    let top = try await flow.top
    let call = TreeCall.delegate(top.coordinator, screen: top.id, event: "enter", payload: [:], seen: nil)
    return await withCheckedContinuation { continuation in
      flow.tree.post(call, caller: caller) { continuation.resume(returning: $0) }
    }
  }

  @Test("A handler decides by the user who calls")
  func handlerKnowsTheUser() async throws {
    let flow = try await TestFlow.start { Door() }
    let denied = Result<TreeAnswer, CallError>.failure(.refused(.denied("only user 1000 may enter")))
    #expect(try await enter(flow, as: nil) == denied)
    #expect(try await enter(flow, as: Caller(user: 7, name: ":1.7")) == denied)
    #expect(try await enter(flow, as: Caller(user: 1_000, name: ":1.8")) == .success(.revision(2)))
    #expect(try await flow.top.content.title == "1000")
  }
}
