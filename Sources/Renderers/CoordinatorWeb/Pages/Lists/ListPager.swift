import Languages

/// The links to the other pages of a list.
struct ListPager: Sendable {
  let part: ListPart
  /// The path of the page.
  let path: String
  /// Whether the buttons must keep the choice.
  let isForSeveral: Bool

  /// The markup; empty if there is only one page.
  @HTMLBuilder var html: HTML {
    if part.pageCount > 1 {
      tag("nav", .id("pages"), .class("pages"), .english, Attribute("aria-label", Text("Pages of the list").string)) {
        if part.page > 1 { turn(to: part.page - 1, id: "page-before", Text("Previous page")) }
        tag("span", .class("hint")) {
          Text(
            "Page {page} of {count}",
            ["page": DecimalNumber.text(of: part.page), "count": DecimalNumber.text(of: part.pageCount)]
          ).string
        }
        if part.page < part.pageCount { turn(to: part.page + 1, id: "page-after", Text("Next page")) }
      }
    }
  }

  @HTMLBuilder private func turn(to page: Int, id: String, _ title: Text) -> HTML {
    if isForSeveral {
      ListLook.page(page).button(id: id, look: "page-button") { title.string }
    } else {
      tag(
        "a", .id(id), .class("button page-button"), Attribute("href", ListLook.url(of: part.view.turned(to: page), at: path)),
        Attribute("data-turn", String(page))
      ) { title.string }
    }
  }
}
