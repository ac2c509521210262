import Languages
import RendererKit

/// The announcement that a flow starts again by itself.
struct Restart: Sendable {
  /// The time until then.
  let left: Duration

  /// The time as the script reads it.
  var milliseconds: String { TimedSentence.milliseconds(left) }
  /// The seconds after which a browser without scripts loads the page again.
  var reloadTime: UInt64 { UInt64(clamping: ClockTime(left).seconds) + 1 }

  /// The markup.
  var html: HTML {
    tag("p", .id("restart"), .class("countdown"), .english, Attribute("role", "timer")) {
      TimedSentence(left: left) { Text("This starts again in {time}.", ["time": $0]).string }.html
    }
  }
}
