import CoordinatorKit
import RendererKit

/// The remaining time until an automatic event.
struct CountdownMarkup: Sendable {
  let countdown: Countdown

  /// The markup. The script counts from the remaining time, because the clocks of browser and server may differ.
  var html: HTML {
    tag(
      "p", .id("countdown"), .class("countdown"), .english, Attribute("role", "timer"),
      Attribute("data-left", String(countdown.microseconds / 1000)), Attribute("data-pattern", Countdown.pattern),
      Attribute("data-due", Countdown.due),
      Attribute("data-units", JSONValue.array(Countdown.units.map(JSONValue.string)).canonicalText)
    ) { countdown.sentence }
  }
}
