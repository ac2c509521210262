/// The names of the secret fields of ``FormValues``, whose values no property may hold.
///
/// ```swift
/// enum Secrets: String, SecretNames { case password }
/// ```
public protocol SecretNames: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The names of the secret fields of a form without any.
public enum NoSecrets: SecretNames {
  /// Never called, because there is no value.
  public var rawValue: String { switch self {} }

  /// Creates nothing: there is no such name.
  public init?(rawValue: String) { nil }
}

extension Payload {
  /// Returns the secret in a field.
  ///
  /// ```swift
  /// let password = event.payload.secret(Account.Secrets.password)
  /// ```
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the secret, or nil if it was not filled in.
  public func secret(_ name: some SecretNames) -> Secret? { secrets[name.rawValue] }
}
