import CoordinatorKit
import RendererKit

/// The rows of a list, with its filter, selection and scroll position.
struct ListBrowser: Sendable, Hashable {
  /// A row as it is drawn.
  enum Row: Sendable, Hashable {
    /// The heading of a group, above its first item that matches; empty after a group, above items without one.
    case heading(String)
    /// An item, as an index into `matches`.
    case item(Int)
  }

  private(set) var items: [Item]
  private(set) var filter = TextEditor()
  /// The items that match the filter.
  private(set) var found: RowMatches
  /// Finds the items that match; nil until a text has been typed.
  private var finder: RowFilter?
  /// The matching items, with the headings of their groups.
  private(set) var rows: [Row] = []
  /// The selected item, as an index into `matches`.
  private(set) var selection = 0
  /// The first visible row, as an index into `rows`.
  private(set) var top = 0
  /// Whether the filter was edited last, without a later selection of an item.
  private(set) var isFiltering = false
  /// The number of rows that were last visible.
  private var page = 1
  /// The row of each match, if there are headings.
  private var rowsOfMatches: [Int] = []
  private let hasGroups: Bool
  /// The widths of the widest title and the widest subtitle, in columns.
  let columns: (title: Int, subtitle: Int)

  init(_ items: [Item]) {
    self.items = items
    found = .everything(items.count)
    hasGroups = items.contains { $0.group != nil }
    columns = (
      items.map { $0.title.printable.columns }.max() ?? 0, items.map { ($0.readableSubtitle ?? "").printable.columns }.max() ?? 0
    )
    arrange()
  }

  static func == (left: ListBrowser, right: ListBrowser) -> Bool {
    left.items == right.items && left.filter == right.filter && left.selection == right.selection && left.top == right.top
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(items.count)
    hasher.combine(filter)
    hasher.combine(selection)
  }

  /// Whether a blank is a part of the text that is being typed, and chooses nothing.
  var takesBlank: Bool { isFiltering && filter.takesBlank }

  /// The indices of the items that match the filter, in the order in which they are shown.
  var matches: [Int] { found.rows }

  /// The selected item.
  var chosen: Item? { matches.indices.contains(selection) ? items[matches[selection]] : nil }

  /// Replaces the items. Keeps the selection if the item still exists.
  mutating func update(_ items: [Item]) {
    guard items != self.items else { return }
    let id = chosen?.id
    var new = ListBrowser(items)
    new.page = page
    new.setFilter(filter)
    new.top = top
    new.isFiltering = isFiltering
    if let id, let place = new.matches.firstIndex(where: { items[$0].id == id }) {
      new.selection = place
    } else {
      new.selection = min(selection, max(new.matches.count - 1, 0))
    }
    self = new
  }

  /// Selects the item that a list suggests, or else the first one that can be chosen.
  mutating func begin(at id: String?) {
    selection =
      id.flatMap { id in matches.firstIndex { items[$0].id == id } }
      ?? matches.firstIndex { items[$0].disabled == nil } ?? 0
  }

  /// Handles a key.
  ///
  /// - Returns: whether the key has a meaning here.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .up, .wheelUp, .control("p"): select(selection - 1)
    case .down, .wheelDown, .control("n"): select(selection + 1)
    case .pageUp: select(selection - page)
    case .pageDown: select(selection + page)
    case .home: select(0)
    case .end: select(matches.count - 1)
    case .escape where !filter.isEmpty: setFilter(TextEditor())
    case .character, .backspace, .paste, .control("u"), .control("w"):
      var changed = filter
      guard changed.handle(key), changed.text != filter.text else { return false }
      setFilter(changed)
      isFiltering = true
      return true
    default: return false
    }
    isFiltering = false
    return true
  }

  /// Selects an item by its index among all items.
  mutating func select(item: Int) { if let place = matches.firstIndex(of: item) { selection = place } }

  /// Scrolls so that the selected item is visible, and the heading above it if there is room.
  mutating func settle(page: Int) {
    self.page = max(page, 1)
    let last = max(rows.count - self.page, 0)
    let row = rowsOfMatches.isEmpty ? selection : rowsOfMatches[safe: selection] ?? 0
    let first = self.page > 1 && row > 0 && rows[safe: row - 1]?.isHeading == true ? row - 1 : row
    top = min(min(max(top, row - self.page + 1), first), last)
    top = max(top, 0)
  }

  private mutating func select(_ place: Int) { selection = min(max(place, 0), max(matches.count - 1, 0)) }

  private mutating func setFilter(_ new: TextEditor) {
    let chosen = matches.indices.contains(selection) ? matches[selection] : nil
    filter = new
    if finder == nil, !new.isEmpty { finder = RowFilter(items) }
    found = finder?.matches(new.text, after: found) ?? found
    // A typed text selects the best match; without one, the list keeps its selection.
    let best = found.best.map { best in items[best].disabled == nil ? best : matches.first { items[$0].disabled == nil } ?? best }
    selection = (best ?? chosen).flatMap { matches.firstIndex(of: $0) } ?? 0
    top = 0
    arrange()
  }

  /// Inserts the headings of groups between the matching items.
  private mutating func arrange() {
    rows = []
    rowsOfMatches = []
    guard hasGroups else {
      rows = matches.indices.map(Row.item)
      return
    }
    var group: String?
    for (place, index) in matches.enumerated() {
      if items[index].group != group { rows.append(.heading(items[index].group ?? "")) }
      group = items[index].group
      rowsOfMatches.append(rows.count)
      rows.append(.item(place))
    }
  }
}

extension ListBrowser.Row {
  fileprivate var isHeading: Bool { if case .heading = self { true } else { false } }
}
