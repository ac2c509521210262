import CoordinatorClient
import CoordinatorKit

/// What a renderer notes while it shows a flow tree, to say at the end what was decided.
public struct EndNotes: Sendable, Hashable {
  /// The answers that were under review in the last window that showed a screen.
  public private(set) var review: [ReviewRow] = []
  /// The flow, whose schema has the titles of the result; nil while it is not known.
  public var flow: FlowListing?

  /// Creates notes of nothing.
  public init() {}

  /// Notes what a window shows. A window without a screen belongs to a flow that is about to end.
  public mutating func note(_ window: MirroredWindow) {
    guard !window.screens.isEmpty else { return }
    review = window.screens.last { !$0.screen.review.isEmpty }?.screen.review ?? []
  }

  /// Returns what to say at the end.
  ///
  /// - Parameter end: how the flow has ended.
  /// - Returns: the summary.
  public func summary(of end: FlowEnd) -> EndSummary { EndSummary(end, of: flow, review: review) }
}
