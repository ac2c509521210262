/// The behavior of a renderer in a public place, such as a kiosk or a machine during setup: it shows one flow, and starts it
/// again for the next person.
public struct KioskPolicy: Sendable, Hashable {
  /// Whether users can leave only by the ways that the flow itself offers.
  public var isLocked: Bool
  /// The time for which the end of a flow is shown before the flow starts again; nil if it does not start automatically.
  public var restartTime: Duration?
  /// The time without input after which the flow is cancelled and starts again; nil for no limit.
  public var idleTime: Duration?

  /// The policy of a renderer that is not in a public place.
  public static let none = KioskPolicy(isLocked: false, restartTime: nil, idleTime: nil)

  /// The default time for which the end is shown if users cannot leave.
  public static let usualRestartTime = Duration.seconds(30)
  /// The maximum time for which users are warned before the flow is cancelled.
  private static let longestWarning = Duration.seconds(30)

  /// Creates a policy.
  public init(isLocked: Bool, restartTime: Duration?, idleTime: Duration?) {
    self.isLocked = isLocked
    self.restartTime = restartTime
    self.idleTime = idleTime
  }

  /// Whether the renderer starts the flow more than once.
  public var isRestarting: Bool { restartTime != nil || idleTime != nil }

  /// The action to take for a flow without input.
  public enum IdleStep: Sendable, Hashable {
    /// Do nothing for this time; nil for no limit.
    case wait(Duration?)
    /// Ask whether the user is still present. The flow is cancelled after this time.
    case warn(left: Duration)
    /// Cancel the flow and start it again.
    case reset
  }

  /// Decides what to do about a flow.
  ///
  /// - Parameters:
  ///   - time: time since the last input.
  ///   - isTouched: whether there was any input since the flow started. If not, the flow is in the same state as after a reset.
  /// - Returns: the action to take.
  public func step(idleFor time: Duration, isTouched: Bool) -> IdleStep {
    guard let idleTime, isTouched else { return .wait(nil) }
    let left = idleTime - time
    if left <= .zero { return .reset }
    let warning = min(idleTime / 2, Self.longestWarning)
    return left <= warning ? .warn(left: left) : .wait(left - warning)
  }
}
