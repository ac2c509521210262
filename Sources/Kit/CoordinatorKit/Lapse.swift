/// A time by the monotonic clock, which counts from the start of the machine, including the time for which it sleeps.
package struct ElapsedTime: Sendable, Hashable {
  /// Identifies the start of the machine. Times of different starts cannot be compared.
  package var boot: UInt64
  /// The number of microseconds since that start.
  package var microseconds: UInt64

  /// Creates a time.
  package init(boot: UInt64, microseconds: UInt64) { (self.boot, self.microseconds) = (boot, microseconds) }
}

/// A moment by both clocks of a machine.
package struct Moment: Sendable, Hashable {
  /// The time by the wall clock, which may be set, in microseconds since 1970.
  package var wall: UInt64
  /// The time by the monotonic clock.
  package var elapsed: ElapsedTime

  /// Creates a moment.
  package init(wall: UInt64, elapsed: ElapsedTime) { (self.wall, self.elapsed) = (wall, elapsed) }

  /// Creates a moment of a wall clock that is never set.
  package init(unset wall: UInt64) { self.init(wall: wall, elapsed: ElapsedTime(boot: 0, microseconds: wall)) }
}

/// A duration that has begun, and its end.
///
/// While the machine runs, the monotonic clock counts, so the duration neither grows nor shrinks when the wall clock is
/// corrected. After the machine restarts, only the wall clock shows for how long the machine was off. The wall clock may be
/// wrong, so the remaining time is at most the duration less the time for which the machine has run since.
package struct Lapse: Sendable, Hashable, Codable {
  /// The length of the duration, in microseconds.
  package let duration: UInt64
  /// The end of the duration, in microseconds since the start of the machine that ``boot`` identifies.
  package let end: UInt64
  /// See ``ElapsedTime/boot``.
  package let boot: UInt64

  /// Begins a duration.
  ///
  /// - Parameters:
  ///   - duration: the length of the duration, in microseconds.
  ///   - start: the time at which it begins.
  package init(_ duration: UInt64, from start: ElapsedTime) {
    self.duration = min(duration, UInt64(Int64.max))
    end = start.microseconds.sum(self.duration)
    boot = start.boot
  }

  /// Returns the duration as it continues after a restart of the daemon or of the machine.
  ///
  /// - Parameters:
  ///   - lapse: the duration as it was stored; nil if an older version has stored only its end.
  ///   - known: the length of the duration, in microseconds, if it was not stored.
  ///   - due: its expected end by the wall clock, in microseconds since 1970.
  ///   - start: the start of the machine after which it continues.
  package init(continuing lapse: Lapse?, of known: UInt64, due: UInt64, since start: MachineStart) {
    let (wall, elapsed) = (start.first.wall, start.first.elapsed)
    duration = lapse?.duration ?? known
    boot = elapsed.boot
    if let lapse, lapse.boot == boot {
      end = lapse.end
    } else {
      let left = due > wall ? due - wall : 0
      end = elapsed.microseconds.sum(min(left, lapse.flatMap(start.most) ?? duration, duration))
    }
  }

  /// Returns whether the duration has ended.
  package func isOver(at time: ElapsedTime) -> Bool { time.boot == boot && time.microseconds >= end }
}

/// The start of the machine since which a daemon runs, and the known running times before it.
package struct MachineStart: Sendable, Hashable {
  /// The first reading of the clocks since the start of the machine.
  package var first: Moment
  /// For each remembered start of the machine, the time for which daemons observed the machine to run before it, in
  /// microseconds. Times when the machine was off, or when no daemon recorded the time, do not count.
  package var earlier: [UInt64: UInt64]

  /// Creates the start of a machine.
  package init(_ first: Moment, earlier: [UInt64: UInt64] = [:]) { (self.first, self.earlier) = (first, earlier) }

  /// Returns the maximum remaining time of a duration at the first reading, regardless of the wall clock; nil if the start of
  /// the machine at which the duration began is not remembered.
  fileprivate func most(of lapse: Lapse) -> UInt64? {
    guard let before = earlier[lapse.boot], let now = earlier[first.elapsed.boot] else { return nil }
    let (end, passed) = (before.sum(lapse.end), now.sum(first.elapsed.microseconds))
    return end > passed ? end - passed : 0
  }
}

extension UInt64 {
  /// Returns the sum, or the greatest number that a store can represent.
  fileprivate func sum(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? UInt64(Int64.max) : Swift.min(sum, UInt64(Int64.max))
  }
}

extension Duration {
  /// The number of whole microseconds, at least 0 and at most what a store can represent.
  package var storableMicroseconds: UInt64 {
    (Timestamp(microseconds: 0) + self).microseconds
  }
}

/// The time at which a flow is dismissed because it has timed out.
package struct FlowTimeout: Sendable, Hashable {
  /// The time by the wall clock, if it is not set, in microseconds since 1970. Older versions store only this time.
  package let due: UInt64
  /// The duration of the timeout; nil if an older version has stored it.
  package let lapse: Lapse?

  /// Creates a timeout from its parts.
  package init(due: UInt64, lapse: Lapse? = nil) { (self.due, self.lapse) = (due, lapse) }

  /// Begins a timeout.
  ///
  /// - Parameters:
  ///   - duration: the maximum running time of the flow, in microseconds.
  ///   - moment: the time at which the flow is started.
  package init(_ duration: UInt64, from moment: Moment) {
    let (due, isTooLate) = moment.wall.addingReportingOverflow(duration)
    self.init(due: isTooLate ? UInt64(Int64.max) : due, lapse: Lapse(duration, from: moment.elapsed))
  }

  /// Returns the timeout as it continues after a restart of the daemon or of the machine.
  ///
  /// - Parameters:
  ///   - startedAt: the time at which the flow was started, in microseconds since 1970.
  ///   - start: the start of the machine after which it continues.
  /// - Returns: the timeout, with its duration.
  package func continued(from startedAt: UInt64, since start: MachineStart) -> FlowTimeout {
    let duration = due > startedAt ? due - startedAt : 0
    return FlowTimeout(due: due, lapse: Lapse(continuing: lapse, of: duration, due: due, since: start))
  }
}

/// A time by the wall clock, which remains valid if the machine is suspended, restarted, or its clock is set.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
  /// The number of microseconds since 1970-01-01 00:00 UTC.
  public var microseconds: UInt64

  /// Creates a time.
  ///
  /// - Parameter microseconds: the number of microseconds since 1970-01-01 00:00 UTC.
  public init(microseconds: UInt64) { self.microseconds = microseconds }

  /// Decodes a number of microseconds.
  public init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Encodes the number of microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }

  /// Returns whether one time is before another.
  public static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  /// Returns the time that is a duration later, or the same time if the duration is negative. A time too far away to be
  /// represented becomes the last one.
  ///
  /// - Parameters:
  ///   - time: the time to start from.
  ///   - duration: how much later.
  /// - Returns: the later time.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return time }
    let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !isTooLong else { return .distantFuture }
    let (sum, isTooFar) = time.microseconds.addingReportingOverflow(whole)
    guard !isTooFar else { return .distantFuture }
    return min(Timestamp(microseconds: sum.addingOrMax(UInt64(attoseconds / 1_000_000_000_000))), .distantFuture)
  }

  /// The last time that a store and a clock can represent.
  static let distantFuture = Timestamp(microseconds: UInt64(Int64.max))
}

extension UInt64 {
  fileprivate func addingOrMax(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
