import Languages
import RendererKit

/// The announcement that a flow restarts automatically.
struct Restart: Sendable {
  /// The remaining time.
  let left: Duration

  /// The remaining time as the script reads it.
  var milliseconds: String { TimedSentence.milliseconds(left) }
  /// The number of seconds after which a browser without scripts reloads the page.
  var reloadTime: UInt64 { UInt64(clamping: ClockTime(left).seconds) + 1 }

  /// The markup.
  var html: HTML {
    tag("p", .id("restart"), .class("countdown"), .english, Attribute("role", "timer")) {
      TimedSentence(left: left) { Text("This starts again in {time}.", ["time": $0]).string }.html
    }
  }
}
