import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Long lists on a page", .timeLimit(.minutes(5)))
struct LongListTests {
  private static let many = (0..<9000).map { Item("row-\($0)", Text(verbatim: "Row \($0)"), subtitle: "Among many") }

  private static func list(_ items: [Item] = many, _ count: ClosedRange<Int>? = nil, _ initial: [String] = []) -> Screen {
    Screen.list("l", title: "L", items: items).choosing(count, initial: initial)
  }

  private static func page(_ screen: Screen, _ view: ListView = ListView(), draft: Draft? = nil) throws -> String {
    var page = try #require(ScreenPage(Samples.window([screen]), of: "pets_1", links: Samples.links, token: Samples.token))
    page.view = view
    page.draft = draft
    return page.html.markup
  }

  private static func view(_ query: String) -> ListView { ListView(text: query) }

  private static func rows(_ page: String) -> [String] {
    page.matches(of: /<li id="item-([^"]*)">/).map { String($0.1) }
  }

  @Test("A page shows 100 rows of 9000 in less than 100 KB, and leads to the next ones")
  func pageIsSmall() throws {
    for count in [nil, 0...9] as [ClosedRange<Int>?] {
      let page = try Self.page(Self.list(Self.many, count))
      #expect(page.utf8.count < 100_000)
      #expect(Self.rows(page) == (0..<100).map { "row-\($0)" })
      #expect(page.contains("9000 entries"))
      #expect(page.contains("Page 1 of 90"))
      #expect(!page.contains("page-before"))
    }
    let last = try Self.page(Self.list(), Self.view("page=90"))
    #expect(Self.rows(last).last == "row-8999")
    #expect(last.contains("?page=89\"") && !last.contains("page-after"))
    // A page number beyond the end selects the last page.
    #expect(try Self.rows(Self.page(Self.list(Array(Self.many.prefix(150))), Self.view("page=90"))).first == "row-100")
  }

  @Test("A list that fits on a page has neither pages nor, if it is short, a search")
  func shortListIsPlain() throws {
    let page = try Self.page(Self.list(Array(Self.many.prefix(10)), 0...3))
    #expect(!page.contains("filter-text") && !page.contains("id=\"pages\"") && !page.contains("name=\"offered\""))
    let longer = try Self.page(Self.list(Array(Self.many.prefix(11)), 0...3))
    #expect(longer.contains("filter-text") && !longer.contains("id=\"pages\"") && !longer.contains("name=\"offered\""))
  }

  @Test("A search shows the rows that match, marks what matches, and says how many there are")
  func searchShowsWhatMatches() throws {
    let page = try Self.page(Self.list(), Self.view("find=899%39"))
    #expect(Self.rows(page).first == "row-8999")
    #expect(page.contains("Row <mark>8999</mark>"))
    #expect(page.contains("role=\"status\">1 of 9000</p>"))
    #expect(page.contains("value=\"8999\""))
    #expect(page.contains("<form id=\"filter\" class=\"filter\" lang=\"en\" role=\"search\" method=\"get\""))
    let subtitle = try Self.page(Self.list(), Self.view("find=among&page=2"))
    #expect(subtitle.contains("<mark>Among</mark> many"))
    #expect(subtitle.contains("Page 2 of 90"))
    #expect(subtitle.contains("?find=among&amp;page=3\""))
  }

  @Test("A search that matches nothing says so, with a way to clear it, and no markup of its text")
  func nothingMatches() throws {
    for count in [nil, 0...9] as [ClosedRange<Int>?] {
      var view = ListView()
      view.search(for: Samples.hostile)
      let page = try Self.page(Self.list(Self.many, count), view)
      #expect(Self.rows(page).isEmpty)
      #expect(page.contains("Nothing matches “"))
      #expect(page.contains("Clear the search"))
      #expect(!page.contains("<script>alert") && !page.contains("<img"))
    }
  }

  @Test("A list begins on the page with the row that is chosen at first, unless it is searched or turned")
  func pageBeginsAtTheChosenRow() throws {
    let screen = Self.list(Self.many, nil, ["row-250"])
    let page = try Self.page(screen)
    #expect(Self.rows(page).first == "row-200" && page.contains("Page 3 of 90"))
    #expect(page.contains(" autofocus>"))
    #expect(page.contains("?page=2\"") && page.contains("?page=4\""))
    #expect(try Self.rows(Self.page(screen, Self.view("page=1"))).first == "row-0")
    #expect(try !Self.page(screen, Self.view("find=25")).contains(" autofocus"))
  }

  @Test("Rows of a group have its heading on every page and in a search")
  func groupsAreKept() throws {
    let items = (0..<150).map { Item("\($0)", Text(verbatim: "Row \($0)"), group: $0 < 120 ? "First" : "Second") }
    let second = try Self.page(Self.list(items), Self.view("page=2"))
    #expect(second.contains(">First</h2>") && second.contains(">Second</h2>"))
    let found = try Self.page(Self.list(items), Self.view("find=149"))
    #expect(!found.contains(">First</h2>") && found.contains(">Second</h2>"))
  }

  @Test("What is checked on other pages is counted, and can be shown alone")
  func checkedRowsOfOtherPagesAreCounted() throws {
    let screen = Self.list(Self.many, 0...9, ["row-3", "row-5000"])
    let page = try Self.page(screen)
    #expect(page.contains("9000 entries · 2 chosen"))
    #expect(page.contains("name=\"look\" value=\"chosen\""))
    #expect(page.contains("name=\"offered\" value=\"row-0,row-1,"))
    let chosen = try Self.page(screen, Self.view("chosen=1"))
    #expect(Self.rows(chosen) == ["row-3", "row-5000"])
    #expect(chosen.ranges(of: " checked").count == 2)
    #expect(chosen.contains("name=\"look\" value=\"all\""))
    let none = try Self.page(Self.list(Self.many, 0...9), Self.view("chosen=1"))
    #expect(none.contains("Nothing is chosen.") && none.contains("value=\"all\""))
    // A list with a single choice has no such view.
    #expect(try Self.rows(Self.page(Self.list(), Self.view("chosen=1"))).count == 100)
  }

  @Test("A query becomes the same view again, and nonsense is ignored")
  func viewIsItsQuery() {
    for query in ["", "find=a%20b%26c", "find=x&page=7", "page=2&chosen=1"] { #expect(Self.view(query).query == query) }
    for nonsense in ["page=0", "page=-1", "page=99999999999999999999", "chosen=yes", "%zz", "find=%20%20"] {
      #expect(Self.view(nonsense) == ListView())
    }
    #expect(Self.view("find=" + String(repeating: "a", count: 3000)).query.utf8.count < 300)
  }

  @Test("Marks and texts are escaped")
  func marksAreEscaped() throws {
    let page = try Self.page(Self.list([Item("a", verbatim: "<b>bold & brave</b>")]), Self.view("find=b"))
    #expect(page.contains("&lt;<mark>b</mark>&gt;bold"))
    #expect(!page.contains("<b>"))
  }
}
