/// The drafts of one browser: at most one per flow tree, and at most ``maximumCount`` in total.
public struct Drafts: Sendable {
  /// The maximum number of trees with a draft; beyond it, the oldest draft is dropped.
  public static let maximumCount = 8

  private var drafts: [(tree: String, draft: Draft)] = []

  /// Creates an empty set of drafts.
  public init() {}

  /// Returns the draft of a screen.
  ///
  /// - Parameters:
  ///   - screen: id of the screen.
  ///   - tree: name of the flow tree.
  /// - Returns: the draft, or nil if there is none.
  public func draft(of screen: UInt64, in tree: String) -> Draft? {
    drafts.first { $0.tree == tree && $0.draft.screen == screen }?.draft
  }

  /// Replaces the draft of a tree.
  ///
  /// - Parameters:
  ///   - draft: new draft; nil removes the draft of the tree.
  ///   - tree: name of the flow tree.
  public mutating func keep(_ draft: Draft?, in tree: String) {
    drafts.removeAll { $0.tree == tree }
    guard let draft else { return }
    if drafts.count >= Self.maximumCount { drafts.removeFirst() }
    drafts.append((tree, draft))
  }
}
