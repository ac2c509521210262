import Languages

/// The summary of all errors of an answer at the top of its page, with links to the fields.
struct ErrorSummary: Sendable {
  /// An error of an answer.
  struct Problem: Sendable, Hashable {
    /// The text of the error.
    var text: String
    /// The id of the control to correct; nil if there is none.
    var field: String?
  }

  let problems: [Problem]

  /// The markup; empty if there is no error. It takes the focus, so that a screen reader announces it first.
  @HTMLBuilder var html: HTML {
    if !problems.isEmpty {
      tag(
        "div", .id("errors"), .class("errors"), Attribute("role", "alert"), Attribute("tabindex", "-1"),
        .flag("autofocus"), Attribute("aria-labelledby", "errors-title")
      ) {
        tag("h2", .id("errors-title"), .english) { Text("There is a problem") }
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
