/// How far a gauge is.
package struct GaugeProgress: Sendable, Hashable {
  /// The percentage, from 0 to 100.
  package private(set) var percent: Int
  /// The text in place of the box's; nil if the program has not sent any.
  package var text: ProgramText?

  /// Creates a value; numbers outside 0 to 100 are limited to it.
  package init(percent: Int, text: ProgramText? = nil) {
    self.percent = min(max(percent, 0), 100)
    self.text = text
  }
}

/// How a gauge reads its standard input.
package enum GaugeDialect: Sendable, Hashable {
  /// As whiptail does.
  case whiptail
  /// As dialog does, with these options.
  case dialog(flags: Set<String>)
}
