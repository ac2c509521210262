import CoordinatorKit
import RendererKit

/// The rows of a list, with its filter, selection and scroll position.
struct ListBrowser: Sendable, Hashable {
  private(set) var items: [Item]
  private(set) var filter = TextEditor()
  /// The indices of the rows that contain all words of the filter.
  private(set) var matches: [Int]
  /// The selected row, as an index into `matches`.
  private(set) var selection = 0
  /// The first visible row, as an index into `matches`.
  private(set) var top = 0
  /// Whether the filter was edited last, and no row has been selected since.
  private(set) var isFiltering = false
  /// The number of rows that were last visible.
  private var page = 1
  /// The lower-case text of each row, as UTF-8, that the filter is matched against.
  private var texts: [[UInt8]]
  /// The widths of the widest title and the widest subtitle, in columns.
  let columns: (title: Int, subtitle: Int)

  init(_ items: [Item]) {
    self.items = items
    matches = Array(items.indices)
    texts = items.map { Array(($0.title + " " + ($0.readableSubtitle ?? "")).lowercased().utf8) }
    columns = (
      items.map { $0.title.printable.columns }.max() ?? 0, items.map { ($0.readableSubtitle ?? "").printable.columns }.max() ?? 0
    )
  }

  static func == (left: ListBrowser, right: ListBrowser) -> Bool {
    left.items == right.items && left.filter == right.filter && left.selection == right.selection && left.top == right.top
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(items.count)
    hasher.combine(filter)
    hasher.combine(selection)
  }

  /// The selected row.
  var chosen: Item? { matches.indices.contains(selection) ? items[matches[selection]] : nil }

  /// Replaces the rows. Keeps the selection if the row still exists.
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

  /// Selects a row by its index among all items.
  mutating func select(item: Int) { if let place = matches.firstIndex(of: item) { selection = place } }

  /// Scrolls so that the selected row is visible.
  mutating func settle(page: Int) {
    self.page = max(page, 1)
    let last = max(matches.count - self.page, 0)
    top = min(min(max(top, selection - self.page + 1), selection), last)
    top = max(top, 0)
  }

  private mutating func select(_ place: Int) { selection = min(max(place, 0), max(matches.count - 1, 0)) }

  private mutating func setFilter(_ new: TextEditor) {
    let isNarrower = new.text.hasPrefix(filter.text)
    let chosen = matches.indices.contains(selection) ? matches[selection] : nil
    filter = new
    let words = new.text.lowercased().split(separator: " ").map { Array($0.utf8) }
    matches = (isNarrower ? matches : Array(items.indices)).filter { index in
      words.allSatisfy { texts[index].contains($0) }
    }
    selection = chosen.flatMap { matches.firstIndex(of: $0) } ?? 0
    top = 0
  }
}

extension [UInt8] {
  /// Whether these bytes contain a word.
  fileprivate func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    guard count >= word.count else { return false }
    for start in 0...count - word.count where self[start] == first {
      if self[start..<start + word.count].elementsEqual(word) { return true }
    }
    return false
  }
}
