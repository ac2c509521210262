import CrashTrial
import DBus

/// A call that was answered, and the newest record on the disk at that moment.
struct AcknowledgedCall: Sendable {
  /// The token of its tree.
  var tree: String
  /// The call.
  var call: MethodCall
  /// What was answered.
  var answer: [Value]
  /// How the tree stands after it.
  var after: Standing
  /// The tree's revision then.
  var revision: UInt64
  /// The number of the newest record when the answer was there: in what is left of any later moment the call has to be.
  var position: UInt64
}
