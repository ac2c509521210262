/// The drafts of one browser: one for each flow tree, and no more than a handful.
public struct Drafts: Sendable {
  /// For how many trees drafts are kept; the oldest goes.
  public static let maximumCount = 8

  private var drafts: [(tree: String, draft: Draft)] = []

  /// None.
  public init() {}

  /// The draft of a screen; nil if there is none.
  ///
  /// - Parameters:
  ///   - screen: The screen's id.
  ///   - tree: The name of its tree.
  /// - Returns: The draft.
  public func draft(of screen: UInt64, in tree: String) -> Draft? {
    drafts.first { $0.tree == tree && $0.draft.screen == screen }?.draft
  }

  /// Keeps a draft in place of the tree's last one; nil forgets that.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - tree: The name of its tree.
  public mutating func keep(_ draft: Draft?, in tree: String) {
    drafts.removeAll { $0.tree == tree }
    guard let draft else { return }
    if drafts.count >= Self.maximumCount { drafts.removeFirst() }
    drafts.append((tree, draft))
  }
}
