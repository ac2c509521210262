import CoordinatorKit
import RendererKit

/// Choices of which one, or several, can be picked. Many choices are filtered while the user types.
struct ChoicePicker: Sendable, Hashable {
  /// The maximum number of choices that are all shown at once.
  static let mostShown = 6

  let choices: [Schema.Choice]
  /// Whether several choices may be picked.
  let isMultiple: Bool
  /// The index of the choice that receives the keys.
  private(set) var cursor = 0
  private(set) var picked: Set<Int> = []
  /// The text typed to find a choice among many.
  private(set) var filter = TextEditor()
  /// The choices that match the filter.
  private(set) var found: RowMatches
  /// Whether the filter was edited last, without a later move of the cursor.
  private(set) var isFiltering = false

  init(_ choices: [Schema.Choice], isMultiple: Bool, values: [JSONValue]) {
    self.choices = choices
    self.isMultiple = isMultiple
    found = .everything(choices.count)
    picked = Set(choices.indices.filter { values.contains(choices[$0].value) })
    cursor = picked.min() ?? 0
  }

  /// Whether there are so many choices that they are filtered.
  var hasFilter: Bool { choices.count > Self.mostShown }

  /// The values of the picked choices, in the order of the choices.
  var values: [JSONValue] { picked.sorted().map { choices[$0].value } }

  /// Moves the cursor.
  ///
  /// - Returns: whether there is a choice in that direction.
  mutating func move(by step: Int) -> Bool {
    isFiltering = false
    guard let place = found.rows.firstIndex(of: cursor), let next = found.rows[safe: place + step] else { return false }
    cursor = next
    return true
  }

  /// Moves the cursor into the picker: to the last choice when coming from below, otherwise to the first picked one.
  mutating func enter(fromBelow: Bool) {
    clearFilter()
    cursor = fromBelow && !hasFilter ? max(choices.count - 1, 0) : picked.min() ?? 0
  }

  /// Handles a key that is text for the filter.
  ///
  /// - Returns: whether the filter has changed.
  mutating func type(_ key: Key) -> Bool {
    guard hasFilter else { return false }
    var changed = filter
    guard changed.handle(key), changed.text != filter.text else { return false }
    filter = changed
    isFiltering = true
    let rows = choices.map { RowFilter.Row(title: FieldText.title(of: $0), subtitle: FieldText.summary(of: $0)) }
    found = RowFilter(rows).matches(filter.text)
    cursor = found.best ?? found.rows.first { $0 == cursor } ?? found.rows.first ?? cursor
    return true
  }

  /// Shows all choices again.
  mutating func clearFilter() { (filter, found, isFiltering) = (TextEditor(), .everything(choices.count), false) }

  /// Picks a choice. If several may be picked, picking a choice again removes it.
  mutating func pick(_ index: Int) {
    guard choices.indices.contains(index) else { return }
    cursor = index
    if !isMultiple {
      picked = [index]
    } else if picked.remove(index) == nil {
      picked.insert(index)
    }
  }

  /// Removes all picks.
  mutating func clear() { picked = [] }
}
