import CoordinatorClient
import CoordinatorKit
import Languages
import Platform

/// The last listing of each flow whose input was requested. Used while the daemon is away. Safe to use concurrently.
final class KnownFlows: Sendable {
  private let listings = Lock<[String: FlowListing]>([:])

  /// The last listing of a flow; nil if there is none.
  subscript(flow: String) -> FlowListing? { listings.withLock { $0[flow] } }

  /// Keeps the listing of a flow; nil if the flow does not exist.
  func keep(_ listing: FlowListing?, of flow: String) { listings.withLock { $0[flow] = listing } }
}

/// The endings of flow trees, for browsers that load their last page again. Keeps the newest ones. Safe to use concurrently.
final class Endings: Sendable {
  /// The ending of a tree.
  struct Ending: Sendable, Hashable {
    /// The language of the screens; nil if it was not known.
    var language: LanguageTag?
    /// The answers that were under review when the tree ended.
    var review: [ReviewRow] = []
    /// The time at which the end of the tree was detected.
    var date = ContinuousClock.now
  }

  private struct State: Sendable {
    var endings: [String: Ending] = [:]
    /// The trees, in the order in which their ends were detected.
    var order: [String] = []
  }

  private static let most = 64

  private let state = Lock(State())

  /// Keeps the ending of a tree, unless one is known.
  ///
  /// - Returns: the known ending.
  func keep(_ ending: Ending, of tree: String) -> Ending {
    state.withLock { state in
      if let known = state.endings[tree] { return known }
      state.endings[tree] = ending
      state.order.append(tree)
      if state.order.count > Self.most { state.endings[state.order.removeFirst()] = nil }
      return ending
    }
  }
}
