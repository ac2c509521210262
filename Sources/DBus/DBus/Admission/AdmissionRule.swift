/// Decides who may call the objects of a connection; everybody else is answered with `AccessDenied`.
public struct AdmissionRule: Sendable {
  /// Who is admitted, as the end of the sentence "this service is for …".
  public let description: String

  /// Returns whether a caller is admitted.
  public let admits: @Sendable (PeerCredentials) async -> Bool

  /// Returns the credentials with what the bus did not report, as far as the rule looks it up. An admitted caller's
  /// calls have these.
  public let completes: @Sendable (PeerCredentials) async -> PeerCredentials

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - description: who is admitted, as the end of the sentence "this service is for …", which refused callers
  ///     receive.
  ///   - completes: the closure that completes the credentials of a calling connection. It is called before `admits`,
  ///     under the same conditions.
  ///   - admits: the closure that decides about a calling connection. It is called at the connection's first call, and
  ///     again only if its verdict has been forgotten; at least the 2048 most recent callers are remembered. It may
  ///     take its time, because only the calls of that connection wait, but must not block its thread.
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
