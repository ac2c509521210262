/// Who may call the objects of a connection; everybody else is answered with `AccessDenied`.
public struct AdmissionRule: Sendable {
  /// Whom it admits, to end the sentence "this service is for …".
  public let description: String

  /// Decides about one caller.
  public let admits: @Sendable (PeerCredentials) async -> Bool

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - description: Whom it admits, to end the sentence "this service is for …"; told to who is refused.
  ///   - admits: Decides, once for each connection that calls. May take its time, while only the calls of that connection wait; must
  ///     not block its thread.
  public init(_ description: String, admits: @escaping @Sendable (PeerCredentials) async -> Bool) {
    self.description = description
    self.admits = admits
  }

  /// What a caller is told who is not admitted.
  func refusal(of peer: PeerCredentials?) -> DBusError {
    let who = peer?.user.map { "User \($0) may not call" } ?? "The bus does not say which user calls"
    return .accessDenied("\(who): this service is for \(description)")
  }
}
