import CoordinatorKit
import Languages
import Platform
import RendererKit

/// The rows of a list that a page shows.
struct ListPart: Sendable {
  /// A row, with the parts of its texts that match the search.
  struct Row: Sendable {
    let item: Item
    var marks: RowMarks?
  }

  /// Rows with the same heading that follow each other.
  struct Group: Sendable {
    let title: String?
    var rows: [Row]
  }

  /// The view. If it names a page, it is one that exists.
  let view: ListView
  /// The number of the page, from 1.
  let page: Int
  /// The number of pages, at least 1.
  let pageCount: Int
  /// The rows of the page, in order.
  let groups: [Group]
  /// The ids of the rows of the page.
  let ids: [String]
  /// The number of rows on all pages.
  let found: Int
  /// The number of rows of the list.
  let total: Int
  /// The number of matching rows, in words; nil without a search.
  let count: String?

  /// Selects the rows.
  ///
  /// - Parameters:
  ///   - items: rows of the list.
  ///   - view: part to show. If it has no page, the page with the first of the `beginnings` is shown.
  ///   - chosen: ids of the chosen rows, for a view that shows only them.
  ///   - beginnings: ids of the rows at which the list begins.
  init(of items: [Item], _ view: ListView, chosen: Set<TextBytes>, beginnings: Set<TextBytes>) {
    let matches = view.find.isEmpty ? nil : RowFilter(items).matches(view.find)
    var rows = matches?.rows ?? Array(items.indices)
    if view.isOnlyChosen { rows = rows.filter { chosen.contains(items[$0].id.bytes) } }
    let length = ListView.rowsPerPage
    let pages = max((rows.count + length - 1) / length, 1)
    var view = view
    let beginning = view.find.isEmpty && !beginnings.isEmpty ? rows.firstIndex { beginnings.contains(items[$0].id.bytes) } : nil
    let page = min(view.page ?? (beginning ?? 0) / length + 1, pages)
    // A view without a page stays without one, so that it follows the rows at which the list begins.
    if view.page != nil { view.page = page }
    self.view = view
    let part = rows.dropFirst((page - 1) * length).prefix(length)
    groups = part.reduce(into: []) { groups, index in
      let item = items[index]
      let row = Row(item: item, marks: matches?.marks(title: item.title, subtitle: item.subtitle))
      if let last = groups.last, last.title == item.group {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(Group(title: item.group, rows: [row]))
      }
    }
    ids = part.map { items[$0].id }
    found = rows.count
    total = items.count
    count = matches?.count
    pageCount = pages
    self.page = page
  }

  /// Whether rows of the list are missing on the page.
  var isPart: Bool { ids.count < total }
  /// Whether the list has a search, because it is long, or because only a part of it is shown.
  var isSearchable: Bool { total > ListView.fewRows || !view.find.isEmpty || view.isOnlyChosen }
}

/// The part of a list that a page shows. It is the query of the page's URL, so that it survives reloads and works without
/// JavaScript.
struct ListView: Sendable, Hashable {
  /// The names of the values in a query.
  enum Name {
    static let find = "find"
    static let page = "page"
    static let chosen = "chosen"
  }

  /// The maximum length of ``find``, in characters. Longer texts are cut, because they must fit into a URL.
  static let longestText = 200
  /// The number of rows of a list without a search, all of which are visible at once.
  static let fewRows = 10
  /// The maximum number of rows on a page.
  static let rowsPerPage = 100

  /// The searched text; empty for no search.
  private(set) var find = ""
  /// The number of the page, from 1; nil for the page on which the list begins.
  var page: Int?
  /// Whether only the chosen rows are shown.
  var isOnlyChosen = false

  /// Creates the view that a page begins with.
  init() {}

  /// Reads a view from a query; invalid values are ignored.
  init(_ query: [String: String]) {
    search(for: query[Name.find] ?? "")
    page = query[Name.page].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    isOnlyChosen = query[Name.chosen] == "1"
  }

  /// Reads a view that was sent as the text of a query.
  init(text: String) {
    let form = (try? FormBody(decoding: text.utf8)) ?? FormBody()
    self.init(Dictionary(form.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Searches for another text, from the first page on.
  mutating func search(for text: String) {
    let text = String(text.trimmed.prefix(Self.longestText))
    if text != find { page = nil }
    find = text
  }

  /// The text of the query; empty for the view that a page begins with.
  var query: String {
    var parts: [String] = []
    if !find.isEmpty { parts.append("\(Name.find)=\(PercentEncoding.encode(find))") }
    if let page { parts.append("\(Name.page)=\(page)") }
    if isOnlyChosen { parts.append("\(Name.chosen)=1") }
    return parts.joined(separator: "&")
  }

  /// Returns the view of another page.
  func turned(to page: Int) -> ListView {
    var view = self
    view.page = page
    return view
  }
}

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
