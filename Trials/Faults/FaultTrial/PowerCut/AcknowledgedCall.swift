import CrashTrial
import DBus

/// A call that was answered, and the newest record on the disk at that moment.
struct AcknowledgedCall: Sendable {
  /// The token of its tree.
  var tree: String
  /// The call.
  var call: MethodCall
  /// The answer.
  var answer: [Value]
  /// The state of the tree after the call.
  var after: Standing
  /// The revision of the tree after the call.
  var revision: UInt64
  /// The number of the newest record when the answer arrived. After a power cut at any later moment, the call must
  /// still be stored.
  var position: UInt64
}
