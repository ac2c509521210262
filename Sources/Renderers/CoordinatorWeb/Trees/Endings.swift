import CoordinatorClient
import CoordinatorKit
import Languages

/// The endings of flow trees, for browsers that load their last page again. Keeps the newest ones.
struct Endings: Sendable {
  /// The ending of a tree.
  struct Ending: Sendable, Hashable {
    /// The language of the screens; nil if it was not known.
    var language: LanguageTag?
    /// The answers that were under review when the tree ended.
    var review: [ReviewRow] = []
    /// The time at which the end of the tree was detected.
    var date = ContinuousClock.now
  }

  private static let most = 64

  private var endings: [String: Ending] = [:]
  private var order: [String] = []

  /// The ending of a tree; nil if it is not known.
  subscript(tree: String) -> Ending? { endings[tree] }

  /// Keeps the ending of a tree, unless one is known.
  ///
  /// - Returns: the known ending.
  mutating func keep(_ ending: Ending, of tree: String) -> Ending {
    if let known = endings[tree] { return known }
    endings[tree] = ending
    order.append(tree)
    if order.count > Self.most { endings[order.removeFirst()] = nil }
    return ending
  }
}
