import CoordinatorClient

extension MirroredWindow {
  /// The sentence to show in place of a screen if the tree is held; nil if it is not.
  public var heldSentence: String? { held.map { "This flow is held: \($0.printable). Nothing is lost." } }
}
