import CoordinatorKit
import DBus
import Locking

/// The flow that a server was started for: its runs, one after the other, of which browsers see the newest.
public final class ServedFlow: Sendable {
  private struct State {
    var tree: ObjectPath
    /// What the next run is made unique with, so that two browsers that ask for it at once get the same one.
    var next = Token()
  }

  /// The flow.
  public let name: String
  /// What each run is started with.
  public let input: [String: JSONValue]
  private let state: Lock<State>

  /// A flow whose first run has begun.
  ///
  /// - Parameters:
  ///   - name: The flow.
  ///   - input: What each run is started with.
  ///   - tree: The path of the first run's root coordinator.
  public init(_ name: String, input: [String: JSONValue], tree: ObjectPath) {
    self.name = name
    self.input = input
    state = Lock(State(tree: tree))
  }

  /// The path of the newest run's root coordinator.
  public var tree: ObjectPath { state.withLock { $0.tree } }

  /// The token for the run after another one; nil if there is one already.
  func token(after ended: ObjectPath) -> String? {
    state.withLock { $0.tree == ended ? Site.token(for: name, request: $0.next.text) : nil }
  }

  /// Shows a run from now on, unless one is shown already after the other.
  func goOn(with tree: ObjectPath, after ended: ObjectPath) {
    state.withLock { state in
      guard state.tree == ended else { return }
      state = State(tree: tree)
    }
  }
}
