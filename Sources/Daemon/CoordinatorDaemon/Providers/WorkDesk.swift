import CoordinatorKit
import Platform

/// The work that providers perform. Results arrive by `EndWork`, in a call of their own. May be used from any thread.
final class WorkDesk: Sendable {
  /// Identifies a piece of work.
  struct Ticket: Sendable, Hashable {
    let instance: String
    let work: String
  }

  /// One order of a piece of work; another order of the same name replaces it.
  struct Claim: Sendable {
    let ticket: Ticket
    fileprivate let serial: UInt64
  }

  private struct Expected: Sendable {
    let serial: UInt64
    let owner: String
    let context: SharedWorkContext
    var end: ProvidedWork.End?
    var continuation: CheckedContinuation<String, any Error>?
  }

  private struct State: Sendable {
    var lastSerial: UInt64 = 0
    var expected: [Ticket: Expected] = [:]

    /// Removes an order, unless another has replaced it.
    mutating func remove(_ claim: Claim) -> Expected? {
      guard expected[claim.ticket]?.serial == claim.serial else { return nil }
      return expected.removeValue(forKey: claim.ticket)
    }
  }

  private let state = Lock(State())

  /// Expects the end of a piece of work.
  func expect(_ work: String, of instance: FlowInstance, by owner: String, _ context: SharedWorkContext) -> Claim {
    let ticket = Ticket(instance: instance.name, work: work)
    let (claim, replaced) = state.withLock { state in
      state.lastSerial += 1
      let claim = Claim(ticket: ticket, serial: state.lastSerial)
      let expected = Expected(serial: claim.serial, owner: owner, context: context)
      return (claim, state.expected.updateValue(expected, forKey: ticket))
    }
    replaced?.continuation?.resume(throwing: CancellationError())
    return claim
  }

  /// Stops expecting the end of a piece of work.
  func forget(_ claim: Claim) { _ = state.withLock { $0.remove(claim) } }

  /// Waits for the end.
  func end(of claim: Claim) async throws -> String {
    let ticket = claim.ticket
    defer { forget(claim) }
    return try await withCheckedThrowingContinuation { continuation in
      let end: ProvidedWork.End?? = state.withLock { state in
        guard state.expected[ticket]?.serial == claim.serial else { return nil }
        if let end = state.expected[ticket]?.end { return .some(end) }
        state.expected[ticket]?.continuation = continuation
        return .some(nil)
      }
      switch end {
      case .none: continuation.resume(throwing: CancellationError())
      case .some(.none): break
      case .some(.some(let end)): continuation.resume(with: end.result)
      }
    }
  }

  /// Records how work has ended. A second end, and one of unknown work, are ignored.
  ///
  /// - Returns: false if the work belongs to another connection.
  func hasEnded(_ ticket: Ticket, _ end: ProvidedWork.End, by owner: String) -> Bool {
    let (isAllowed, continuation) = state.withLock { state -> (Bool, CheckedContinuation<String, any Error>?) in
      guard let known = state.expected[ticket] else { return (true, nil) }
      guard known.owner == owner else { return (false, nil) }
      guard known.end == nil else { return (true, nil) }
      state.expected[ticket]?.end = end
      return (true, state.expected[ticket]?.continuation.take())
    }
    continuation?.resume(with: end.result)
    return isAllowed
  }

  /// The context of a piece of work that a connection performs; nil if it performs none of that name.
  func context(of ticket: Ticket, by owner: String) -> SharedWorkContext? {
    state.withLock { $0.expected[ticket].flatMap { $0.owner == owner ? $0.context : nil } }
  }

  /// Lets who waits for a piece of work know that it was cancelled.
  func cancel(_ claim: Claim) {
    state.withLock { $0.remove(claim) }?.continuation?.resume(throwing: CancellationError())
  }

  /// Returns whether a connection performs work.
  func isPerforming(_ owner: String) -> Bool { state.withLock { $0.expected.values.contains { $0.owner == owner } } }

  /// Ends the work of a connection that has left, as failed.
  func hasLeft(_ owner: String) {
    let left = state.withLock { state in state.expected.filter { $0.value.owner == owner }.map(\.key) }
    for ticket in left {
      _ = hasEnded(
        ticket, .failed(ProvidedWork.Trouble(type: "ProviderGone", message: "the provider left during the work")), by: owner)
    }
  }
}

extension ProvidedWork.End {
  fileprivate var result: Result<String, any Error> {
    switch self {
    case .done(let value): .success(value)
    case .failed(let trouble): .failure(trouble)
    }
  }
}
