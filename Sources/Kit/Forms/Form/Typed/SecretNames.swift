/// The names of the secret fields of ``FormValues``, whose values properties must not contain.
///
/// ```swift
/// enum Secrets: String, SecretNames { case password }
/// ```
public protocol SecretNames: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The names of the secret fields of a form without secret fields.
public enum NoSecrets: SecretNames {
  /// Never called, because there is no value.
  public var rawValue: String { switch self {} }

  /// Returns nil: there are no names.
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
