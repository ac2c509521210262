import CoordinatorKit
import Platform

/// What authors and administrators of scripts read and order: the last lines of output, and answers to be dropped. May be
/// used from any thread.
package final class AuthorNotes: Sendable {
  private struct State: Sendable {
    /// The last lines by what has written them, and who has written last, newest last.
    var lines: [String: [String]] = [:]
    var order: [String] = []
    /// Until when the last answer of a coordinator may be dropped, by its path.
    var drops: [String: ContinuousClock.Instant] = [:]
  }

  /// How many lines are kept of each coordinator.
  private static let keptLines = 50
  /// Of how many coordinators lines are kept.
  private static let keptCoordinators = 200
  /// How long an order waits for its event.
  private static let patience = Duration.seconds(30)

  private let state = Lock(State())
  /// Why coordinators have not gone on, by their paths.
  private let failures = ToldFailures<String>(maxPlaces: AuthorNotes.keptCoordinators)

  init() {}

  /// Keeps a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - name: the path of a coordinator, or the name of a file whose flows share a process.
  func add(_ line: String, of name: String) {
    state.withLock { state in
      state.order.removeAll { $0 == name }
      state.order.append(name)
      state.lines[name] = (state.lines[name] ?? []).suffix(Self.keptLines - 1) + [line]
      guard state.order.count > Self.keptCoordinators else { return }
      state.lines[state.order.removeFirst()] = nil
    }
  }

  /// Returns what to tell of a failure of a coordinator; nil for nothing.
  func telling(_ failure: String, of name: String) -> ToldFailures<String>.Telling? { failures.add(failure, of: name) }

  /// A coordinator has gone on: what fails from now on is told.
  func hasGoneOn(_ name: String) { failures.forget { $0 == name } }

  /// The last lines of a coordinator or a file, oldest first.
  func lines(of name: String) -> [String] { state.withLock { $0.lines[name] ?? [] } }

  /// Has the last answer of a coordinator dropped by the next event that no user waits for.
  func drop(_ path: String) {
    state.withLock { state in
      state.drops = state.drops.filter { $0.value > .now }
      state.drops[path] = .now + Self.patience
    }
  }

  /// Returns whether an event is taken as the order to drop the last answer. That of a user never is.
  func takesDrop(instead question: FlowQuestion) -> Bool {
    switch question.event {
    case .script, .workEnded, .workInterrupted, .timer, .childEnded, .secretsGone, .migrate: break
    case .start, .event, .fromChild, .back, .output, .message, .language, .looking: return false
    }
    let path = question.instance.path.text
    return state.withLock { state in
      guard let end = state.drops.removeValue(forKey: path) else { return false }
      return end > .now
    }
  }
}
