import CoordinatorKit
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
