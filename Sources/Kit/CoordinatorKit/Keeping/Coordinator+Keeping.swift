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

  /// Returns a secret that came with the event: the output or the end of a child, or the parent's message.
  ///
  /// It is valid in this handler. To use it later, ``keep(_:as:)`` it or pass it to work.
  ///
  /// - Parameter name: the name that the sender gave to the secret.
  /// - Returns: the secret, or nil if none of that name was passed.
  public func passedSecret(_ name: String) -> Secret? { context.scope?.secrets[name] }
}

/// Live values: intermediate values of running work, which its coordinator's screens show (rule 4).
extension Coordinator {
  /// The last value that running work of this coordinator reported with
  /// ``report(_:in:)-(_,WorkContext)``; nil if there is none.
  ///
  /// Compute screens from this value. It is not stored: after a restart, it is nil until the work reports again, and it becomes
  /// nil when the work ends. Copy values that an answer depends on to the state or to a route.
  ///
  /// ```swift
  /// case .networks: return .list("networks", title: "Choose a network", items: live?.map(\.item) ?? [])
  /// ```
  public var live: Live? {
    guard let reported = context.reported, let scope = context.scope else { return nil }
    let isRunning = scope.transition.after.coordinators[scope.path]?.work.contains { $0.id == reported.work } == true
    return isRunning ? reported.value : nil
  }

  /// Shows a value on the coordinator's screens. Call this method in ``perform(_:in:)``, at any rate; the screens are updated
  /// at most ten times a second.
  ///
  /// The screens are computed again from ``live``. Nothing is stored, and no handler is called.
  ///
  /// ```swift
  /// while true {
  ///   try await context.untilWatched()
  ///   report(try await scan(), in: context)
  ///   try await context.sleep(for: .seconds(2))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the value, in place of the last one. It must not contain a secret.
  ///   - context: the context of the work.
  public nonisolated func report(_ value: Live, in context: WorkContext) { context.shared.show(value) }

  /// Shows a value on the coordinator's screens, from a child task of the work; see ``report(_:in:)-(_,WorkContext)``.
  ///
  /// - Parameters:
  ///   - value: the value, in place of the last one. It must not contain a secret.
  ///   - context: the shared part of the work's context.
  public nonisolated func report(_ value: Live, in context: SharedWorkContext) { context.show(value) }
}

/// Work, which runs beside the flow.
extension Coordinator {
  /// Starts a piece of work once the transition is stored.
  ///
  /// The work's progress is shown on the screen that is the coordinator's topmost one at the time of this call.
  ///
  /// - Parameters:
  ///   - work: a description of the work. It is stored, so it must not contain a secret.
  ///   - key: names the work, so that it can be queried and cancelled alone. Running work of this coordinator with the
  ///     same key is cancelled.
  ///   - secrets: the secrets that the work needs, by name; it gets copies of them. They are never stored, and are wiped
  ///     when the work is done.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree already has too much work.
  public func startWork(_ work: Work, key: WorkKey? = nil, secrets: [String: Secret] = [:]) throws {
    let replaced = key.flatMap { key in context.scope.flatMap { $0.transition.runningWork(key, of: $0.path)?.id } }
    try context.change { try $0.startWork(work, key: key, of: $1, secrets: secrets) }
    if let replaced { context.record { _, _ in .cancelWork(replaced.text) } }
    try context.record(secrets) { transition, _, names in
      let id = WorkID(number: transition.after.lastWork)
      let described = try ServedFlow<Self>.described(work, id: id, language: transition.after.languageName)
      return .startWork(described, secrets: names, taking: false)
    }
  }

  /// The work that this coordinator has started and whose result it has not yet received, in the order in which it was
  /// started. While there is any, mark the screen with ``Screen/busy(_:)``.
  public var runningWork: [Work] { context.scope?.transition.runningWork(of: path) ?? [] }

  /// Returns the running work that was started with a key.
  ///
  /// ```swift
  /// return runningWork(.join) == nil ? form : form.busy("Joining")
  /// ```
  ///
  /// - Parameter key: the key that was passed to ``startWork(_:key:secrets:)``.
  /// - Returns: the description of the work, or nil if none with that key runs.
  public func runningWork(_ key: WorkKey) -> Work? {
    guard let scope = context.scope else { return nil }
    return scope.transition.runningWork(key, of: scope.path)?.work as? Work
  }

  /// Cancels all work of this coordinator. ``workEnded(_:with:)`` is not called for cancelled work.
  public func cancelWork() {
    context.change { $0.cancelWork(of: $1) }
    context.record { _, _ in .cancelWork(nil) }
  }

  /// Cancels the work that was started with a key; without effect if there is none.
  ///
  /// - Parameter key: the key that was passed to ``startWork(_:key:secrets:)``.
  public func cancelWork(_ key: WorkKey) {
    context.record { transition, path in transition.runningWork(key, of: path).map { .cancelWork($0.id.text) } }
    context.change { $0.cancelWork(key, of: $1) }
  }
}

/// Names a piece of work among those of its coordinator, so that it can be replaced, queried, or cancelled alone.
///
/// ```swift
/// extension WorkKey {
///   static let scan: WorkKey = "scan"
/// }
///
/// try startWork(.scan, key: .scan)
/// ```
public struct WorkKey: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
  /// The name; unique among the work of a coordinator.
  public var name: String

  /// Creates a key.
  ///
  /// - Parameter name: the name; unique among the work of a coordinator.
  public init(_ name: String) { self.name = name }

  /// Creates a key from a literal.
  public init(stringLiteral name: String) { self.name = name }

  /// Decodes the name.
  public init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
