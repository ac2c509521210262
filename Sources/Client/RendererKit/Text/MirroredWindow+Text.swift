import CoordinatorClient
import Languages

extension MirroredWindow {
  /// The sentence to show in place of a screen if the tree is held; nil if it is not.
  public var heldSentence: String? {
    held.map { Text("This flow is held: {reason}. Nothing is lost.", ["reason": $0.printable]).string }
  }
}
