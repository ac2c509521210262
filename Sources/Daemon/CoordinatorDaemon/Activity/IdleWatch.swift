/// Decides when a daemon has had nothing to do for long enough to end.
///
/// A value that decides: its owner has the one timer, and sets it as it is told.
struct IdleWatch: Sendable {
  /// What to do with the timer.
  enum Step: Sendable, Hashable {
    case nothing
    /// Set it to this time from now.
    case wait(Duration)
    case stopWaiting
    /// The daemon has been idle for the whole time.
    case isIdle
  }

  /// How long the daemon has to be idle; nil if it never ends by itself.
  private(set) var time: Duration?
  /// How many calls there had been when the timer was set; nil while it is not.
  private var callsBefore: UInt64?
  private var calls: UInt64 = 0

  /// A watch that has not begun.
  ///
  /// - Parameter time: how long the daemon has to be idle; nil if it never ends by itself.
  init(time: Duration?) { self.time = time }

  /// Notes a call.
  mutating func called() { calls &+= 1 }

  /// Notes that there are flows, or none, from now on.
  ///
  /// - Parameter hasFlows: whether there are any, or may be.
  /// - Returns: what to do with the timer.
  mutating func update(hasFlows: Bool) -> Step {
    guard hasFlows else { return callsBefore == nil ? begin() : .nothing }
    return callsBefore.take() == nil ? .nothing : .stopWaiting
  }

  /// Sets another time, which begins now.
  ///
  /// - Parameters:
  ///   - time: how long the daemon has to be idle; nil if it never ends by itself.
  ///   - hasFlows: whether there are any, or may be.
  /// - Returns: what to do with the timer.
  mutating func change(to time: Duration?, hasFlows: Bool) -> Step {
    self.time = time
    let wasWaiting = callsBefore.take() != nil
    let step = update(hasFlows: hasFlows)
    return step == .nothing && wasWaiting ? .stopWaiting : step
  }

  /// Notes that the timer has fired.
  ///
  /// - Parameter isIdle: whether there is nothing to do.
  /// - Returns: what to do with the timer, or that the daemon may end.
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
