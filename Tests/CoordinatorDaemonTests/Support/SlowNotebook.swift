import CoordinatorKit
import Dispatch
import Locking

@testable import CoordinatorDaemon

/// A notebook that one restored tree waits in, thread and all.
actor SlowNotebook: Notebook {
  static let flow = FlowDescription("notebook", title: "Notebook")
  let context = Context()

  /// What the trees are restored against.
  private static let obstacle = Lock<Obstacle?>(nil)

  /// Stops the tree that is restored as the so many-th from now on.
  static func stop(at number: Int) -> Obstacle {
    let new = Obstacle(number)
    obstacle.withLock { $0 = new }
    return new
  }

  func screen(for route: Route) -> Screen {
    Self.obstacle.withLock(\.self)?.pass()
    return .message("\(route)", title: "Notes: \(state.notes)", actions: [Action("note", "Note"), Action("turn", "Turn")])
  }
}

/// Stops who comes as the so many-th until it is removed.
final class Obstacle: Sendable {
  private let left: Lock<Int>
  private let removed = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init(_ number: Int) {
    left = Lock(number)
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// Waits for somebody to be stopped.
  func hasStoppedSomebody() async { for await _ in arrivals { return } }

  /// Lets those go on who were stopped.
  func remove() { removed.signal() }

  fileprivate func pass() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    guard isLast else { return }
    arrival.yield()
    removed.wait()
  }
}

/// A watch that looks when the test says so.
final class ManualWatch: Sendable {
  private let body = Lock<(@Sendable () -> Void)?>(nil)

  /// Whether anybody is to look.
  var isSet: Bool { body.withLock { $0 != nil } }

  /// The watch; the deadline is only what it says.
  var watch: TreeRestorer.Watch {
    TreeRestorer.Watch(deadline: .seconds(30)) { body in
      self.body.withLock { $0 = body }
      return { self.body.withLock { $0 = nil } }
    }
  }

  /// Looks now.
  func look() { body.withLock { $0.take() }?() }
}
