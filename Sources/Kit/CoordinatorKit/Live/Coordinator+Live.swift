/// Live values: what running work has found so far, as its coordinator's screens show it (rule 4).
extension Coordinator {
  /// The last value that running work of this coordinator reported with ``report(_:in:)``; nil if there is none.
  ///
  /// Compute screens from it. It is not stored: after a restart it is nil until the work reports again, and it is gone
  /// when the work ends. What an answer rests on has to be copied to the state or to a route.
  ///
  /// ```swift
  /// case .networks: return .list("networks", title: "Choose a network", items: live?.map(\.item) ?? [])
  /// ```
  public var live: Live? {
    guard let reported = context.reported, let scope = context.scope else { return nil }
    let isRunning = scope.transition.after.coordinators[scope.path]?.work.contains { $0.id == reported.work } == true
    return isRunning ? reported.value : nil
  }

  /// Shows a value on the coordinator's screens. Call it in ``perform(_:in:)``, as often as you like; the screens are
  /// updated at most ten times a second.
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

  /// Shows a value on the coordinator's screens, from a child task of the work; see ``report(_:in:)``.
  ///
  /// - Parameters:
  ///   - value: the value, in place of the last one. It must not contain a secret.
  ///   - context: the shared part of the work's context.
  public nonisolated func report(_ value: Live, in context: SharedWorkContext) { context.show(value) }
}
