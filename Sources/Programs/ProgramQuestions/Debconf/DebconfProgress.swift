import CoordinatorKit

/// The progress of a package's long operation.
package struct DebconfProgress: Sendable, Hashable {
  /// The title of the package, such as "Configuring tzdata".
  package let title: String
  /// The operation that takes time.
  package let summary: String
  /// The current step; empty if the package has not sent it.
  package internal(set) var text = ""
  /// Whether the package can be asked to stop.
  package let isCancellable: Bool
  let minimum: Int
  let maximum: Int
  var value: Int

  init(title: String, summary: String, minimum: Int, maximum: Int, isCancellable: Bool) {
    (self.title, self.summary, self.isCancellable) = (title, summary, isCancellable)
    (self.minimum, self.maximum, value) = (minimum, maximum, minimum)
  }

  /// The progress from 0 to 1; nil if the package's range is empty.
  package var fraction: Double? {
    guard maximum > minimum else { return nil }
    return min(max((Double(value) - Double(minimum)) / (Double(maximum) - Double(minimum)), 0), 1)
  }

  mutating func step(by step: Int) {
    let (sum, overflow) = value.addingReportingOverflow(step)
    value = overflow ? maximum : sum
  }

  /// The progress as a screen has it.
  package var progress: Progress {
    Progress(fraction: fraction, text: text.isEmpty ? nil : Text(verbatim: ForeignText(text).line))
  }

  /// The id of the action that asks the package to stop.
  package static let cancellation = "cancel"

  /// The screen.
  package var screen: Screen {
    var screen = ForeignScreen(.progress, name: "debconf-progress", title: title.isEmpty ? summary : title)
    if !title.isEmpty { screen.add(paragraph: summary, isStrong: true) }
    screen.change { $0.progress = progress }
    if isCancellable { screen.add(action: Self.cancellation, "Cancel", .cancel) }
    return screen.screen
  }
}
