import Languages

/// The search of a list: a text field, the number of matching rows, and for a list of which several rows are chosen, the number
/// of chosen rows.
struct ListSearch: Sendable {
  /// The id of the text field.
  static let fieldID = "filter-text"

  let part: ListPart
  /// The path of the page.
  let path: String
  /// The number of chosen rows; nil for a list of which one is chosen.
  let chosen: Int?

  /// The search as a separate form, whose submission is part of the URL.
  @HTMLBuilder var form: HTML {
    if part.isSearchable {
      tag(
        "form", .id("filter"), .class("filter"), .english, Attribute("role", "search"), Attribute("method", "get"),
        Attribute("action", path)
      ) {
        line(button: tag("button", .class("search-button")) { Text("Search").string })
      }
      status
    }
  }

  /// The search inside of the form that answers the screen, whose buttons keep the choice.
  @HTMLBuilder var controls: HTML {
    if part.isSearchable {
      tag("div", .id("filter"), .class("filter"), .english, Attribute("role", "search")) {
        line(button: ListLook.find.button(look: "search-button") { Text("Search").string })
      }
      status
    }
  }

  private func line(button: HTML) -> HTML {
    group {
      tag("label", Attribute("for", Self.fieldID)) { Text("Find").string }
      tag("div", .class("searching")) {
        void(
          "input", .id(Self.fieldID), Attribute("type", "search"), Attribute("name", ListView.Name.find),
          Attribute("value", part.view.find), Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
          Attribute("enterkeyhint", "search"), Attribute("maxlength", String(ListView.longestText)),
          Attribute("aria-controls", ListMarkup.id), Attribute("aria-describedby", "filter-count"), Attribute("dir", "auto"))
        button
      }
    }
  }

  /// The number of rows. A live region, which a screen reader reads when it changes.
  @HTMLBuilder private var status: HTML {
    tag("div", .id("filter-status"), .class("filter-status"), .english) {
      tag("p", .id("filter-count"), .class("hint"), Attribute("role", "status")) { words }
      if !part.view.find.isEmpty { clear }
      if chosen != nil { onlyChosen }
    }
  }

  private var words: String {
    if part.view.find.isEmpty, part.view.isOnlyChosen, part.found == 0 { return Text("Nothing is chosen.").string }
    let chosenWords = chosen.map { Text(one: "{count} chosen", other: "{count} chosen", count: $0).string }
    return [foundWords, chosenWords].compactMap(\.self).joined(separator: " · ")
  }

  private var foundWords: String? {
    if part.found == 0, !part.view.find.isEmpty {
      return Text("Nothing matches “{text}”.", ["text": part.view.find]).string
    }
    if let count = part.count { return count }
    if part.view.isOnlyChosen { return nil }
    let number = DecimalNumber.text(of: part.found)
    return Text(one: "{number} entry", other: "{number} entries", count: part.found, ["number": number]).string
  }

  @HTMLBuilder private var clear: HTML {
    var view = part.view
    let _ = view.search(for: "")
    if chosen == nil {
      tag("a", .id("filter-clear"), .class("quiet-button"), Attribute("href", ListLook.url(of: view, at: path))) { clearTitle }
    } else {
      ListLook.clear.button(id: "filter-clear", look: "quiet-button") { clearTitle }
    }
  }

  private var clearTitle: String { Text("Clear the search").string }

  /// The button that shows only the chosen rows, or all rows again.
  private var onlyChosen: HTML {
    part.view.isOnlyChosen
      ? ListLook.all.button(id: "filter-chosen", look: "quiet-button") { Text("Show all").string }
      : ListLook.chosen.button(id: "filter-chosen", look: "quiet-button") { Text("Show only what is chosen").string }
  }
}
