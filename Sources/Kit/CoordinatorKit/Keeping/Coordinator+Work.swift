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
