import CoordinatorKit
import Platform
import TestBus

@testable import CoordinatorDaemon

/// A notebook that blocks one restored tree and its thread.
actor SlowNotebook: Notebook {
  static let flow = FlowDescription("notebook", title: "Notebook")
  let context = Context()

  /// The obstacle that restored trees must pass.
  private static let obstacle = Lock<Obstacle?>(nil)

  /// Blocks the tree that is the given number in the sequence of trees restored from now on.
  static func stop(at number: Int) -> Obstacle {
    let new = Obstacle(number)
    obstacle.withLock { $0 = new }
    return new
  }

  func screen(for route: Route) -> Screen {
    Self.obstacle.withLock(\.self)?.pass()
    return .message(
      "\(route)", title: Text(verbatim: "Notes: \(state.notes)"), actions: [Action("note", "Note"), Action("turn", "Turn")])
  }
}

/// Blocks the arrival with the given number until it is removed.
final class Obstacle: Sendable {
  private let left: Lock<Int>
  private let gate = Gate()

  init(_ number: Int) { left = Lock(number) }

  /// Waits until an arrival is blocked.
  func waitForArrival() async throws { try await gate.reached() }

  /// Releases the blocked arrival.
  func remove() { gate.open() }

  fileprivate func pass() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { gate.block() }
  }
}

/// A watch that checks when the test tells it to.
final class ManualWatch: Sendable {
  private let body = Lock<(@Sendable () -> Void)?>(nil)

  /// Whether a check is pending.
  var isSet: Bool { body.withLock { $0 != nil } }

  /// The watch. Its deadline appears in messages only.
  var watch: TreeRestorer.Watch {
    TreeRestorer.Watch(deadline: .seconds(30)) { body in
      self.body.withLock { $0 = body }
      return { self.body.withLock { $0 = nil } }
    }
  }

  /// Checks now.
  func look() { body.withLock { $0.take() }?() }
}
