import CoordinatorKit
import Languages
import RendererKit

/// The progress of the work on a screen.
struct ProgressMarkup {
  let progress: CoordinatorKit.Progress
  /// Returns the title of the page for a progress in words.
  let title: (String?) -> String

  /// The markup. The script keeps it up to date.
  var html: HTML {
    tag("div", .id("progress"), .class("progress")) {
      let usual = Text("Please wait").string
      tag("label", .id("progress-text"), Attribute("for", "progress-bar"), Attribute("data-usual", usual), .ofFlow) {
        progress.text ?? usual
      }
      tag(
        "progress", .id("progress-bar"), Attribute("max", "1"),
        Attribute("value", progress.fraction.map { JSONValue($0).canonicalText }), Attribute("data-title", title(nil)),
        Attribute("data-pattern", title(Percentage.pattern))
      ) {
        progress.fraction.map(Percentage.text(of:)) ?? ""
      }
    }
  }
}
