/// When a flow is dismissed because its time is up.
package struct FlowTimeout: Sendable, Hashable {
  /// When that is by the wall clock, unless somebody sets it; in microseconds since 1970. Older versions know only this.
  package let due: UInt64
  /// The duration after which it is; nil if an older version has stored it.
  package let lapse: Lapse?

  /// Creates a timeout from its parts.
  package init(due: UInt64, lapse: Lapse? = nil) { (self.due, self.lapse) = (due, lapse) }

  /// Begins a timeout.
  ///
  /// - Parameters:
  ///   - duration: how long the flow may take, in microseconds.
  ///   - moment: when it is started.
  package init(_ duration: UInt64, from moment: Moment) {
    let (due, isTooLate) = moment.wall.addingReportingOverflow(duration)
    self.init(due: isTooLate ? UInt64(Int64.max) : due, lapse: Lapse(duration, from: moment.elapsed))
  }

  /// Returns the timeout as it goes on after a restart of the daemon, or of the machine.
  ///
  /// - Parameters:
  ///   - startedAt: when the flow was started, in microseconds since 1970.
  ///   - start: the start of the machine that it goes on after.
  /// - Returns: the timeout, with its duration.
  package func continued(from startedAt: UInt64, since start: MachineStart) -> FlowTimeout {
    let duration = due > startedAt ? due - startedAt : 0
    return FlowTimeout(due: due, lapse: Lapse(continuing: lapse, of: duration, due: due, since: start))
  }
}
