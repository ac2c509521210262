/// All that is wrong with an answer, at the top of its page, and where to put it right.
struct ErrorSummary: Sendable {
  /// Something that is wrong.
  struct Problem: Sendable, Hashable {
    /// What people read.
    var text: String
    /// The id of the control to go to; nil if there is none.
    var field: String?
  }

  let problems: [Problem]

  /// The markup; nothing if nothing is wrong. It takes the focus, so that whoever does not see the page hears it first.
  @HTMLBuilder var html: HTML {
    if !problems.isEmpty {
      tag(
        "div", .id("errors"), .class("errors"), Attribute("role", "alert"), Attribute("tabindex", "-1"),
        .flag("autofocus"), Attribute("aria-labelledby", "errors-title")
      ) {
        tag("h2", .id("errors-title")) { "There is a problem" }
        tag("ul") {
          for problem in problems {
            tag("li") {
              if let field = problem.field {
                tag("a", Attribute("href", "#" + field), Attribute("dir", "auto")) { problem.text }
              } else {
                tag("span", Attribute("dir", "auto")) { problem.text }
              }
            }
          }
        }
      }
    }
  }
}
