import DBus
import Platform

/// The questions to all providers; see ``ProviderLane``. May be used from any thread.
final class ProviderLanes: Sendable {
  /// A question that is being asked.
  struct Place: Sendable {
    fileprivate let provider: String
    fileprivate let ticket: TimedWaits.Ticket
  }

  private let lanes = Lock<[String: ProviderLane<TimedWaits.Ticket>]>([:])
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Waits until a provider may be asked.
  ///
  /// - Parameters:
  ///   - provider: names the provider.
  ///   - width: how many questions it is asked at once.
  ///   - isAlone: whether no other may be asked at the same time.
  ///   - isPatient: whether those go first that wait already, even if it is to be asked alone.
  ///   - end: when to give up; nil for never.
  /// - Returns: the place to leave after the answer; nil if the time was up, or the task was cancelled.
  func enter(
    _ provider: String, width: Int, isAlone: Bool, isPatient: Bool = false, until end: ContinuousClock.Instant?
  ) async -> Place? {
    let ticket = waits.reserve()
    change(provider, width) { $0.enter(ticket, isAlone: isAlone, isPatient: isPatient) }
    guard await waits.wait(for: ticket, until: end) else {
      change(provider, width) { $0.leave(ticket) }
      return nil
    }
    return Place(provider: provider, ticket: ticket)
  }

  /// Lets the next question be asked. Has no effect if the place was left before.
  func leave(_ place: Place) { change(place.provider, nil) { $0.leave(place.ticket) } }

  /// Whether another question to any provider would have to wait.
  var isAnyFull: Bool { lanes.withLock { $0.values.contains(where: \.isFull) } }

  /// Whether another question to a provider would have to wait.
  func isFull(_ provider: String) -> Bool { lanes.withLock { $0[provider]?.isFull ?? false } }

  private func change(
    _ provider: String, _ width: Int?,
    _ change: (inout ProviderLane<TimedWaits.Ticket>) -> [TimedWaits.Ticket]
  ) {
    let admitted = lanes.withLock { lanes in
      var lane = lanes[provider] ?? ProviderLane(width: width ?? 1)
      if let width { lane.width = max(1, width) }
      let admitted = change(&lane)
      lanes[provider] = lane.isEmpty ? nil : lane
      return admitted
    }
    for ticket in admitted { waits.resume(ticket) }
  }
}
