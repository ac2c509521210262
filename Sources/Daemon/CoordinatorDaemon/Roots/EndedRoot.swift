import CoordinatorKit

/// An ended root coordinator that is remembered.
struct EndedRoot: Sendable {
  let path: CoordinatorPath
  let flow: String
  /// The digest of the request that started the root, which determines whether a later request is the same.
  let asked: Digest
  /// Whether the root was started with a token, so that it can be requested again.
  let hasToken: Bool
  let outcome: ToldOutcome
  let requests: RequestLedger
}
