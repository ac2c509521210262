/// The progress of a gauge.
package struct GaugeProgress: Sendable, Hashable {
  /// The percentage, from 0 to 100.
  package private(set) var percent: Int
  /// The text that replaces the box's text; nil if the program has not sent any.
  package var text: ProgramText?

  /// Creates a value; clamps the percentage to 0 to 100.
  package init(percent: Int, text: ProgramText? = nil) {
    self.percent = min(max(percent, 0), 100)
    self.text = text
  }
}

/// The dialect of a gauge's standard input.
package enum GaugeDialect: Sendable, Hashable {
  /// The dialect of whiptail.
  case whiptail
  /// The dialect of dialog, with these options.
  case dialog(flags: Set<String>)
}
