import CoordinatorTestKit
import Testing

@testable import CoordinatorKit

/// Runs without actors and handlers: each test supplies the results of the handlers.
@Suite("Transition attempts", .timeLimit(.minutes(5)))
struct TransitionAttemptTests {
  private let root = CoordinatorPath(root: "probe_1")
  private let child = CoordinatorPath(text: "probe_1/probe_1")

  private func attempt(_ cause: Cause, _ state: TreeState? = nil, limits: Limits = Limits()) throws -> TransitionAttempt {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    let state = state ?? TreeState(root: root)
    return TransitionAttempt(
      cause, cause.occasion(in: state), Transition(from: state, catalogue: catalogue, limits: limits, at: Moment(unset: 1)))
  }

  /// Completes the attempt, with each called handler presenting a screen.
  private func play(_ attempt: TransitionAttempt) throws -> CompleteTransition {
    var attempt = attempt
    while true {
      switch attempt.next() {
      case .call(_, let path):
        var transition = attempt.transition
        transition.present("a route", of: path, as: nil, animated: true)
        attempt.take(.success(transition))
      case .end(.complete(let transition, _)): return transition
      default: throw Unexpected()
      }
    }
  }

  private func startedTree() throws -> TreeState {
    try play(attempt(.start(flow: "probe", input: [:], language: nil, nil))).publication.state
  }

  private func treeWithChild() throws -> TreeState {
    let call = TreeCall.startChild(root, flow: "probe", input: [:], router: .navigation)
    return try play(attempt(.call(call, key: nil, nil), startedTree())).publication.state
  }

  private func delegation(to path: CoordinatorPath) -> Cause {
    .call(.delegate(path, screen: nil, event: "up", payload: [:], seen: nil), key: nil, nil)
  }

  private struct Unexpected: Error {}

  @Test("An attempt calls the triggered handlers and then returns the changes")
  func attemptCallsHandlersThenCompletes() throws {
    let complete = try play(attempt(.start(flow: "probe", input: [:], language: nil, nil)))
    #expect(complete.publication.isStart)
    #expect(complete.publication.presented.map(\.screen.coordinator) == [root])
    #expect(complete.publication.state.revision == 1)
    #expect(try treeWithChild().coordinators[root]?.children == [child])
  }

  @Test("An attempt refuses a root that has nothing to show after its start")
  func attemptRefusesRootWithNothingToShow() throws {
    var attempt = try attempt(.start(flow: "probe", input: [:], language: nil, nil))
    guard case .call(.start, root) = attempt.next() else { throw Unexpected() }
    attempt.take(.success(attempt.transition))
    guard case .end(.refused(.failed(let failure))) = attempt.next() else { throw Unexpected() }
    #expect(failure == .nothingToShow)
  }

  @Test("An attempt offers an event to the coordinator and then its parents, and refuses an unhandled event")
  func attemptOffersEventUpTheTree() throws {
    var attempt = try attempt(delegation(to: child), treeWithChild())
    guard case .call(.receiveWithoutScreen(let event), child) = attempt.next() else { throw Unexpected() }
    attempt.take(.failure(event.notTaken))
    guard case .call(.receiveFromChild(let offered, let sender), root) = attempt.next() else { throw Unexpected() }
    #expect(sender.path == child)
    attempt.take(.failure(offered.notTaken))
    guard case .end(.refused(.unknownEvent(let unknown))) = attempt.next() else { throw Unexpected() }
    #expect(unknown == UnknownEvent("up", coordinator: child))
  }

  @Test("An attempt fails a coordinator whose handler throws an error, and answers a refusal to the caller")
  func attemptFailsThrowingCoordinator() throws {
    var failing = try attempt(delegation(to: child), treeWithChild())
    _ = failing.next()
    failing.take(.failure(Failure(code: "lost", message: "lost")))
    guard case .end(.failed(child, let failure)) = failing.next() else { throw Unexpected() }
    #expect(failure.code == "lost")

    var refusing = try attempt(delegation(to: child), treeWithChild())
    _ = refusing.next()
    refusing.take(.failure(Refusal.denied("no")))
    guard case .end(.refused(.refused)) = refusing.next() else { throw Unexpected() }
  }

  @Test("An attempt stops handlers that trigger each other endlessly")
  func attemptStopsEndlessHandlers() throws {
    var limits = Limits()
    limits.maxHandlers = 5
    var attempt = try attempt(.start(flow: "probe", input: [:], language: nil, nil), limits: limits)
    var calls = 0
    while case .call(_, let path) = attempt.next(), calls < 100 {
      calls += 1
      var transition = attempt.transition
      _ = try transition.startChild(of: path, flow: "probe", input: [:], router: .navigation)
      attempt.take(.success(transition))
    }
    #expect(calls == 5)
  }

  @Test("An attempt leaves the tree that it began with unchanged")
  func attemptLeavesOriginalTreeUntouched() throws {
    let before = try treeWithChild()
    let after = try play(attempt(delegation(to: child), before)).publication.state
    #expect(before.window.screens.count == 2 && after.window.screens.count == 3)
    #expect(before.revision + 1 == after.revision)
  }
}
