import CoordinatorClient

/// A report of a ``HomeWatch``.
public enum HomeNews: Sendable, Hashable {
  /// The contents of the front door from now on.
  case home(Home)
  /// The daemon has left the bus. It may come back.
  case away
  /// Reports end, for this reason.
  case failed(ClientError)
}
