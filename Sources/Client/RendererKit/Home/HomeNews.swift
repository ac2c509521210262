import CoordinatorClient

/// What a ``HomeWatch`` reports.
public enum HomeNews: Sendable, Hashable {
  /// The front door shows this from now on.
  case home(Home)
  /// The daemon has left the bus. It may come back.
  case away
  /// Nothing more is reported, for this reason.
  case failed(ClientError)
}
