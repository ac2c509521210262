/// Who has ended a process that several runs had, as far as that can be known: a value.
struct HostBlame: Sendable, Hashable {
  /// The run that has certainly done it; nil if that is not certain.
  let charged: UInt64?
  /// The runs that may have done it: each gets a process of its own at its next try, so that it is certain then.
  let suspects: Set<UInt64>

  /// Finds out.
  ///
  /// - Parameters:
  ///   - executing: the runs that were executed at that moment; others waited for an answer.
  ///   - isKilled: whether the process was killed, which one run may have caused by the memory that others need.
  ///   - hadOthers: whether the process has ever had other runs than one.
  init(executing: Set<UInt64>, isKilled: Bool, hadOthers: Bool) {
    charged = executing.count == 1 && (!isKilled || !hadOthers) ? executing.first : nil
    suspects = executing
  }
}
