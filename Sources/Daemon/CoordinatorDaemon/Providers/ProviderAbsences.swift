/// Which providers are away, and which do not answer. A value that decides.
struct ProviderAbsences: Sendable {
  private struct Departure: Sendable {
    let time: ContinuousClock.Instant
    let isNamed: Bool
  }

  /// How long a question waits for a name that has just lost its owner.
  static var patience: Duration { .seconds(5) }
  /// After which time the coordinators of a flow that nothing serves may be cancelled without asking.
  static var absence: Duration { .seconds(20) }

  /// By flow, of those that left last.
  private var departed: [String: Departure] = [:]
  /// Since when providers have not answered, of those that have not answered last.
  private var silent: [String: ContinuousClock.Instant] = [:]
  /// Flows of stored trees may never have been served since.
  private let begun = ContinuousClock.now

  /// Records that nothing serves a flow any more.
  mutating func left(_ flow: String, _ provider: ServedFlow, at now: ContinuousClock.Instant) {
    silent[provider.key] = nil
    departed = departed.filter { $0.value.time.duration(to: now) < Self.absence }
    departed[flow] = Departure(time: now, isNamed: !provider.name.isEmpty)
  }

  /// Records that a flow is served.
  mutating func returned(_ flow: String) { departed[flow] = nil }

  /// Records whether a provider has answered a question.
  mutating func note(_ isAnswer: Bool, from provider: String, at now: ContinuousClock.Instant) {
    if isAnswer { silent[provider] = nil } else { silent[provider] = silent[provider] ?? now }
  }

  /// Returns until when it is worth waiting for a flow that nothing serves; nil if it is not.
  func timeOfReturn(of flow: String) -> ContinuousClock.Instant? {
    departed[flow].flatMap { $0.isNamed ? $0.time + Self.patience : nil }
  }

  /// Returns whether a flow could not be served for ``absence``.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - provider: who serves it; nil if nothing does.
  ///   - now: the time.
  /// - Returns: whether its provider is away, or does not answer.
  func isAway(_ flow: String, _ provider: ServedFlow?, at now: ContinuousClock.Instant) -> Bool {
    let since = provider.map { silent[$0.key] } ?? departed[flow]?.time ?? begun
    return since.map { $0.duration(to: now) >= Self.absence } ?? false
  }
}
