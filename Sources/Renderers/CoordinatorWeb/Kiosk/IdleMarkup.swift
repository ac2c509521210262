import Languages
import RendererKit

/// The question whether the user is still present, before the flow is cancelled for lack of input. It is part of every page of
/// the flow, and shown in time.
struct IdleMarkup: Sendable {
  let links: Links
  let tree: String
  let token: FormToken
  /// The time until the flow is cancelled, if the question is asked now.
  let left: Duration?

  /// The markup.
  var html: HTML {
    tag(
      "form", .id("idle"), .class("idle"), Attribute("method", "post"), Attribute("action", links.alive(tree)),
      .flag("hidden", left == nil)
    ) {
      token.hidden()
      // A form must not have the role itself.
      tag(
        "div", Attribute("role", "alertdialog"), Attribute("aria-labelledby", "idle-title"),
        Attribute("aria-describedby", "idle-text")
      ) {
        tag("h2", .id("idle-title"), .english) { Text("Are you still there?").string }
        tag("p", .id("idle-text"), .english) {
          TimedSentence(left: left ?? .zero) {
            Text("For the next person, this starts again in {time}.", ["time": $0]).string
          }.html
        }
        tag("button", .id("alive"), .class("primary"), .english) { Text("I am still here").string }
      }
    }
  }
}
