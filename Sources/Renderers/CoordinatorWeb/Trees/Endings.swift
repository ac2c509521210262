import CoordinatorClient
import CoordinatorKit
import Languages

/// What is known of flow trees that have ended, for those who load their last page again. Keeps the newest ones.
struct Endings: Sendable {
  /// What is known of a tree.
  struct Ending: Sendable, Hashable {
    /// The language of the screens; nil if it was not known.
    var language: LanguageTag?
    /// The answers that were under review when the tree ended.
    var review: [ReviewRow] = []
    /// When the tree was found to have ended.
    var date = ContinuousClock.now
  }

  private static let most = 64

  private var endings: [String: Ending] = [:]
  private var order: [String] = []

  /// The ending of a tree; nil if it is not known.
  subscript(tree: String) -> Ending? { endings[tree] }

  /// Keeps the ending of a tree, unless one is known.
  ///
  /// - Returns: the ending that is known now.
  mutating func keep(_ ending: Ending, of tree: String) -> Ending {
    if let known = endings[tree] { return known }
    endings[tree] = ending
    order.append(tree)
    if order.count > Self.most { endings[order.removeFirst()] = nil }
    return ending
  }
}
