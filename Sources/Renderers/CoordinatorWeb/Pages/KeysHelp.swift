import Languages

/// The overlay that lists the keys of all pages, and the button that opens it. Only the script shows them.
struct KeysHelp: Sendable {
  private var keys: [(keys: [Text], meaning: Text)] {
    [
      ([Text("Enter", context: "key")], Text("Choose, or send what is typed")),
      (
        [Text("Tab", context: "key"), Text("Shift+Tab", context: "key")], Text("Go to the next or the previous part of the page")
      ),
      (
        [
          Text(verbatim: "↑"), Text(verbatim: "↓"), Text("Home", context: "key"), Text("End", context: "key"),
          Text("PgUp", context: "key"), Text("PgDn", context: "key"),
        ], Text("Move through the rows of a list")
      ),
      ([Text("1 to 9", context: "key")], Text("Choose from a menu or a short list")),
      ([Text(verbatim: "/")], Text("Search a long list; in the list itself, just type")),
      ([Text("Space", context: "key")], Text("Check a box")),
      ([Text("Esc", context: "key")], Text("Close a question, clear a search, or go back; before a flow ends, you are asked")),
      ([Text(verbatim: "?")], Text("Show these keys")),
    ]
  }

  /// The markup.
  var html: HTML {
    group {
      tag("p", .id("keys-button"), .class("keys-button"), .english, .flag("hidden")) {
        tag("button", .id("keys-open"), .class("quiet-button"), Attribute("type", "button"), Attribute("aria-haspopup", "dialog"))
        {
          Text("Keyboard shortcuts").string
        }
      }
      tag("dialog", .id("keys"), .class("keys"), .english, Attribute("aria-labelledby", "keys-title")) {
        tag("h2", .id("keys-title"), Attribute("tabindex", "-1")) { Text("Keyboard shortcuts").string }
        tag("dl") {
          for (keys, meaning) in keys {
            tag("div") {
              tag("dt") {
                for key in keys { tag("kbd") { key.string } }
              }
              tag("dd") { meaning.string }
            }
          }
        }
        tag("label", .class("choice")) {
          void("input", .id("keys-single"), Attribute("type", "checkbox"))
          tag("span") { Text("Use the keys 1 to 9, / and ?, and search a list by typing").string }
        }
        tag("p", .class("actions")) {
          tag("button", .id("keys-close"), Attribute("type", "button")) { Text("Close").string }
        }
      }
    }
  }
}

extension Attribute {
  /// Returns the attribute for the digit that presses a control with the script; omitted if it is not one of 1 to 9.
  static func key(_ key: Int?) -> Attribute {
    Attribute("data-key", key.flatMap { (1...9).contains($0) ? String($0) : nil })
  }
}
