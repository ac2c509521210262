import CoordinatorClient
import CoordinatorKit

/// The notes that a renderer takes while it shows a flow tree, to summarize the decisions at the end.
public struct EndNotes: Sendable, Hashable {
  /// The answers that were under review in the last window that showed a screen.
  public private(set) var review: [ReviewRow] = []
  /// The flow, whose schema contains the titles of the result; nil while it is not known.
  public var flow: FlowListing?

  /// Creates empty notes.
  public init() {}

  /// Records the answers under review in a window. A window without a screen belongs to a flow that is about to end.
  public mutating func note(_ window: MirroredWindow) {
    guard !window.screens.isEmpty else { return }
    review = window.screens.last { !$0.screen.review.isEmpty }?.screen.review ?? []
  }

  /// Returns the summary at the end.
  ///
  /// - Parameter end: end of the flow.
  /// - Returns: the summary.
  public func summary(of end: FlowEnd) -> EndSummary { EndSummary(end, of: flow, review: review) }
}
