import CoordinatorKit
import RendererKit

/// The rows of a list, and which of them a user has selected and chosen.
struct ListInput: Sendable, Hashable {
  /// The rows, if the screen is a list.
  private(set) var list: ListBrowser?
  /// The chosen rows, if the screen is a list on which several can be chosen.
  private(set) var several: SeveralChoice?

  /// Creates the input of a screen.
  init(_ screen: Screen) {
    list = screen.items.map(ListBrowser.init)
    several = SeveralChoice(screen)
    list?.begin(at: screen.preselectedItem?.id)
  }

  /// Adopts the rows of the current screen. A list that was empty, or is presented again, begins like a new one.
  mutating func update(to screen: Screen, isNew: Bool) {
    let suggested = SeveralChoice(screen)
    let isSame = suggested?.count == several?.count && !isNew
    guard let items = screen.items else {
      (list, several) = (nil, nil)
      return
    }
    if isSame { several?.update(to: items) } else { several = suggested }
    let preselected = screen.preselectedItem?.id
    if list == nil { list = ListBrowser(items) } else { list?.update(items) }
    if isNew { list?.begin(at: preselected) }
  }

  /// Discards the choice after it was accepted.
  mutating func discard(on screen: Screen) { several = SeveralChoice(screen) }

  /// Whether the user has changed the suggested choice.
  func isTouched(on screen: Screen) -> Bool { several != SeveralChoice(screen) }

  /// Selects the row with an id, or the first one.
  mutating func begin(at id: String?) { list?.begin(at: id) }

  /// Selects a row by its index among all items.
  mutating func select(item index: Int) { list?.select(item: index) }

  /// Scrolls so that the selected row is visible.
  ///
  /// - Parameter page: number of rows that can be seen at once.
  mutating func settle(page: Int) { list?.settle(page: page) }

  /// Handles a key other than Enter.
  ///
  /// - Returns: the resulting intent, or nil if the key has no meaning here.
  mutating func handle(_ key: Key) -> Intent? {
    switch key {
    case .character(" ") where several != nil && list?.takesBlank != true: return toggle()
    case .character("?") where list?.filter.isEmpty == true: return .help
    default: return list?.handle(key) == true ? .moved : nil
    }
  }

  /// Sends the selected row, or those that are chosen.
  func choose() -> Intent? {
    if let several, let items = list?.items {
      if let reason = several.reason { return .blocked(reason) }
      return several.payload(of: items).map { .delegate(event: Event.select, payload: $0) }
    }
    guard let item = list?.chosen else {
      return list?.items.isEmpty == false ? .blocked(ScreenView.nothingMatches) : nil
    }
    if let reason = item.disabled { return .blocked(reason) }
    return .delegate(event: Event.select, payload: ["id": .string(item.id)])
  }

  /// Adds the selected row to the choice, or removes it.
  mutating func toggle() -> Intent? {
    guard let item = list?.chosen else { return .moved }
    if let reason = item.disabled { return .blocked(reason) }
    several?.toggle(item)
    return .moved
  }
}
