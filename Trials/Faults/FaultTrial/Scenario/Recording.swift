import CrashTrial
import DBus

/// The scenario as it went without faults: each call, what was answered, and how the trees stood then.
public struct Recording: Sendable {
  /// A call of the scenario, which can be repeated.
  struct Call: Sendable, Hashable {
    /// The place of its tree.
    var tree: Int
    /// The call.
    var call: MethodCall
    /// What was answered.
    var answer: [Value]
    /// The place of the standing that it leads to, among those of its tree.
    var target: Int
    /// Whether that is so only after work that it has started.
    var isWork: Bool
  }

  /// What was done in one life of the daemon.
  struct Part: Sendable {
    var version: Script.Version
    var calls: [Call]
    var ending: Script.Ending
  }

  /// How the trees stood, one after the other.
  var trees: [Timeline]
  /// The lives of the daemon.
  var parts: [Part]
  /// The revisions that the history tells of, by tree.
  var history: [String: [UInt64]]
  /// Where something was done to a file.
  public internal(set) var sites: [FaultSite]
  /// How many operations there were.
  public internal(set) var operations: UInt32

  /// How many calls it has.
  public var calls: Int { parts.reduce(0) { $0 + $1.calls.count } }
}
