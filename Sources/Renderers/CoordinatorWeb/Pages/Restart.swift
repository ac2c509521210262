import Languages
import RendererKit

/// The announcement that a flow starts again by itself.
struct Restart: Sendable {
  /// The time until then.
  let left: Duration

  /// The time as the script reads it.
  var milliseconds: String { String(max(0, left.components.seconds) * 1000) }
  /// The seconds after which a browser without scripts loads the page again.
  var reloadTime: UInt64 { UInt64(max(0, left.components.seconds)) + 1 }

  /// The markup.
  var html: HTML {
    tag("p", .id("restart"), .class("countdown"), .english, Attribute("role", "timer")) {
      Text(one: "This starts again in {count} second.", other: "This starts again in {count} seconds.", count: Int(left.components.seconds))
        .string
    }
  }
}
