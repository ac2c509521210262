/// Decides who may call the objects of a connection. Calls of all other senders are answered with `AccessDenied`.
public struct AdmissionRule: Sendable {
  /// The admitted callers, as the end of the sentence "this service is for …".
  public let description: String

  /// Returns whether a caller is admitted.
  public let admits: @Sendable (PeerCredentials) async -> Bool

  /// Returns the credentials, completed with items that the bus did not report and the rule looks up. The calls of an admitted
  /// caller carry these credentials.
  public let completes: @Sendable (PeerCredentials) async -> PeerCredentials

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - description: the admitted callers, as the end of the sentence "this service is for …", which refused callers receive.
  ///   - completes: the closure that completes the credentials of a calling connection. It is called before `admits`, under the
  ///     same conditions.
  ///   - admits: the closure that decides about a calling connection. It is called at the connection's first call, and again
  ///     only if its verdict has been forgotten; at least the 2048 most recent callers are remembered. It may take time,
  ///     because only the calls of that connection wait, but must not block its thread.
  public init(
    _ description: String, completes: @escaping @Sendable (PeerCredentials) async -> PeerCredentials = { $0 },
    admits: @escaping @Sendable (PeerCredentials) async -> Bool
  ) {
    self.description = description
    self.completes = completes
    self.admits = admits
  }

  /// Returns the error for a caller that is not admitted.
  func refusal(of peer: PeerCredentials?) -> DBusError {
    let who = peer?.user.map { "User \($0) may not call" } ?? "The bus does not identify the calling user"
    return .accessDenied("\(who): this service is for \(description)")
  }
}
