/// What a renderer does at a place where strangers come and go, such as a kiosk or a machine that is set up: it shows one
/// flow, and starts it again for the next person.
public struct KioskPolicy: Sendable, Hashable {
  /// Whether users cannot leave: there is no way out but those that the flow itself offers.
  public var isLocked: Bool
  /// How long the end of a flow is shown before the flow starts again; nil if it does not start by itself.
  public var restartTime: Duration?
  /// How long nobody may do anything before the flow is cancelled and starts again; nil for any time.
  public var idleTime: Duration?

  /// The policy of a renderer that is not at such a place.
  public static let none = KioskPolicy(isLocked: false, restartTime: nil, idleTime: nil)

  /// How long the end is shown if users cannot leave, and nothing else is said.
  public static let usualRestartTime = Duration.seconds(30)
  /// The longest time that users are warned before the flow is cancelled.
  private static let longestWarning = Duration.seconds(30)

  /// Creates a policy.
  public init(isLocked: Bool, restartTime: Duration?, idleTime: Duration?) {
    self.isLocked = isLocked
    self.restartTime = restartTime
    self.idleTime = idleTime
  }

  /// Whether the renderer starts the flow more than once.
  public var isRestarting: Bool { restartTime != nil || idleTime != nil }

  /// What to do about a flow that nobody answers.
  public enum IdleStep: Sendable, Hashable {
    /// Nothing, for this time; nil for any time.
    case wait(Duration?)
    /// Ask whether somebody is still there. The flow is cancelled after this time.
    case warn(left: Duration)
    /// Cancel the flow, and start it again.
    case reset
  }

  /// Decides what to do about a flow.
  ///
  /// - Parameters:
  ///   - time: how long nobody has done anything.
  ///   - isTouched: whether anybody has done anything since the flow started. If not, it is as it would be after a reset.
  /// - Returns: what to do.
  public func step(idleFor time: Duration, isTouched: Bool) -> IdleStep {
    guard let idleTime, isTouched else { return .wait(nil) }
    let left = idleTime - time
    if left <= .zero { return .reset }
    let warning = min(idleTime / 2, Self.longestWarning)
    return left <= warning ? .warn(left: left) : .wait(left - warning)
  }
}
