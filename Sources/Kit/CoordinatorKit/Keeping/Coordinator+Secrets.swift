/// Secrets that a coordinator keeps until they are used (rule 8).
extension Coordinator {
  /// Keeps a secret in memory until it is forgotten or the coordinator ends.
  ///
  /// Use it if a later step needs what the user typed in this one. The secret is never stored: after a restart it is
  /// gone, and ``secretsLost(_:)`` is called. Its name is stored, so that name must not be confidential.
  ///
  /// ```swift
  /// if let password = event.payload.secret("password") { keep(password, as: "password") }
  /// router.present(.confirmWeakPassword)
  /// ```
  ///
  /// - Parameters:
  ///   - secret: the secret; a copy of it is kept.
  ///   - name: the name by which ``keptSecret(_:)`` finds it. Another secret of that name is overwritten.
  public func keep(_ secret: Secret, as name: String) {
    context.change { $0.keep(secret, as: name, of: $1) }
    context.record([name: secret]) { .keepSecrets($2) }
  }

  /// Returns a secret that was kept with ``keep(_:as:)``, or that the parent passed when it started the coordinator.
  ///
  /// - Parameter name: the name of the secret.
  /// - Returns: the secret, or nil if there is none of that name, for example because of a restart.
  public func keptSecret(_ name: String) -> Secret? {
    guard let scope = context.scope else { return nil }
    return scope.transition.after.coordinators[scope.path]?.belongings.secrets[name]
  }

  /// Wipes a kept secret when the transition is stored.
  ///
  /// - Parameter name: the name of the secret; without effect if there is none of that name.
  public func forgetSecret(_ name: String) {
    context.change { $0.forgetSecret(name, of: $1) }
    context.record { _, _ in .forgetSecrets([name]) }
  }

  /// Returns a secret that came with what is being handled: the output or the end of a child, or the parent's message.
  ///
  /// It is valid in this handler. To use it later, ``keep(_:as:)`` it or pass it to work.
  ///
  /// - Parameter name: the name that the sender gave it.
  /// - Returns: the secret, or nil if none of that name was passed.
  public func passedSecret(_ name: String) -> Secret? { context.scope?.secrets[name] }
}
