import CoordinatorClient
import Languages

extension MirroredWindow {
  /// The sentence to show in place of a screen if the tree is held, for a user who answers a flow; nil if it is not held.
  public var heldSentence: String? {
    held.map { _ in Text("This step cannot continue at the moment. What was entered so far is kept.").string }
  }

  /// The same sentence with the reason, for administrators.
  package var heldReason: String? {
    held.map { Text("This flow is held: {reason}. Nothing is lost.", ["reason": $0.printable]).string }
  }
}
