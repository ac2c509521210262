import CoordinatorKit
import DBus
import Platform

/// The flow that a server was started for. Browsers see its latest run. Safe to use from any thread.
public final class ServedFlow: Sendable {
  private struct State {
    var tree: ObjectPath
    /// The token of the next run. Two browsers that start it at the same time get the same run.
    var next = Token()
  }

  /// The name of the flow.
  public let name: String
  /// The input of each run.
  public let input: [String: JSONValue]
  private let state: Lock<State>

  /// Creates a flow whose first run has started.
  ///
  /// - Parameters:
  ///   - name: name of the flow.
  ///   - input: input of each run.
  ///   - tree: path of the first run's root coordinator.
  public init(_ name: String, input: [String: JSONValue], tree: ObjectPath) {
    self.name = name
    self.input = input
    state = Lock(State(tree: tree))
  }

  /// The path of the latest run's root coordinator.
  public var tree: ObjectPath { state.withLock { $0.tree } }

  /// Returns the token for the run after the given one; nil if that run has already started.
  func token(after ended: ObjectPath) -> String? {
    state.withLock { $0.tree == ended ? Site.token(for: name, request: $0.next.text) : nil }
  }

  /// Switches to a new run, unless the given run has already been replaced.
  func goOn(with tree: ObjectPath, after ended: ObjectPath) {
    state.withLock { state in
      guard state.tree == ended else { return }
      state = State(tree: tree)
    }
  }
}
