/// Decides when a daemon has been idle for long enough to end.
///
/// A value type that decides: its owner has one timer, and sets it as the returned steps say.
struct IdleWatch: Sendable {
  /// The action to take on the timer.
  enum Step: Sendable, Hashable {
    case nothing
    /// Set the timer to fire after this time.
    case wait(Duration)
    case stopWaiting
    /// The daemon has been idle for the whole time.
    case isIdle
  }

  /// How long the daemon must be idle before it ends; nil if it never ends by itself.
  private(set) var time: Duration?
  /// The number of calls when the timer was set; nil while it is not set.
  private var callsBefore: UInt64?
  private var calls: UInt64 = 0

  /// Creates a watch whose timer is not set.
  ///
  /// - Parameter time: how long the daemon must be idle before it ends; nil if it never ends by itself.
  init(time: Duration?) { self.time = time }

  /// Records a call.
  mutating func called() { calls &+= 1 }

  /// Records whether there are flows from now on.
  ///
  /// - Parameter hasFlows: whether there are flows, or may be.
  /// - Returns: the action to take on the timer.
  mutating func update(hasFlows: Bool) -> Step {
    guard hasFlows else { return callsBefore == nil ? begin() : .nothing }
    return callsBefore.take() == nil ? .nothing : .stopWaiting
  }

  /// Changes the idle time, which starts now.
  ///
  /// - Parameters:
  ///   - time: how long the daemon must be idle before it ends; nil if it never ends by itself.
  ///   - hasFlows: whether there are flows, or may be.
  /// - Returns: the action to take on the timer.
  mutating func change(to time: Duration?, hasFlows: Bool) -> Step {
    self.time = time
    let wasWaiting = callsBefore.take() != nil
    let step = update(hasFlows: hasFlows)
    return step == .nothing && wasWaiting ? .stopWaiting : step
  }

  /// Records that the timer has fired.
  ///
  /// - Parameter isIdle: whether the daemon is idle now.
  /// - Returns: the action to take on the timer, or that the daemon may end.
  mutating func timeIsUp(isIdle: Bool) -> Step {
    guard let before = callsBefore.take() else { return .nothing }
    return isIdle && before == calls ? .isIdle : begin()
  }

  private mutating func begin() -> Step {
    guard let time else { return .nothing }
    callsBefore = calls
    return .wait(time)
  }
}
