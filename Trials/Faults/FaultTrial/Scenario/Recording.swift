import CrashTrial
import DBus

/// The scenario as recorded without faults: each call, its answer, and the resulting state of its tree.
public struct Recording: Sendable {
  /// A call of the scenario, which can be repeated.
  struct Call: Sendable, Hashable {
    /// The index of its tree.
    var tree: Int
    /// The call.
    var call: MethodCall
    /// The answer.
    var answer: [Value]
    /// The index of the resulting state among the states of its tree.
    var target: Int
    /// Whether the state results from work that the call has started.
    var isWork: Bool
  }

  /// The calls of one life of the daemon.
  struct Part: Sendable {
    var version: Script.Version
    var calls: [Call]
    var ending: Script.Ending
  }

  /// The states of each tree, in order.
  var trees: [Timeline]
  /// The lives of the daemon.
  var parts: [Part]
  /// The revisions in the history, by tree.
  var history: [String: [UInt64]]
  /// The places in the code that operate on files.
  public internal(set) var sites: [FaultSite]
  /// The number of file operations.
  public internal(set) var operations: UInt32

  /// The number of calls.
  public var calls: Int { parts.reduce(0) { $0 + $1.calls.count } }
}
