import Platform
import RendererKit

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
