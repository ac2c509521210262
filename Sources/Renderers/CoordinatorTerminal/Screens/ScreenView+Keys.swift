import CoordinatorKit
import RendererKit

/// Handles keys.
extension ScreenView {
  /// Handles a key.
  ///
  /// - Returns: the resulting intent, or nil if the key has no meaning here.
  mutating func handle(_ key: Key) -> Intent? {
    switch key {
    case .help: return .help
    case .altLeft: return .back
    default: break
    }
    let intent: Intent? =
      switch stop {
      case .field(let index): handle(key, inField: index)
      case .list: handleInList(key)
      case .review(let index): handle(key, onRow: index)
      case .action(let index): handle(key, onAction: index)
      case nil: screen.kind == .menu && isSupported ? handleInMenu(key, nil) : nil
      }
    return intent ?? common(key)
  }

  /// Handles a click on a part of the screen.
  mutating func click(_ target: Target) -> Intent? {
    switch target {
    case .item(let index):
      guard stops.contains(.list) else { return nil }
      go(to: .list)
      list?.select(item: index)
      return several == nil ? choose() : toggle()
    case .review(let index):
      guard stops.contains(.review(index)) else { return nil }
      go(to: .review(index))
      return change(index)
    case .action(let index):
      guard stops.contains(.action(index)) else { return nil }
      go(to: .action(index))
      return act(index)
    case .field(let index):
      guard stops.contains(.field(index)) else { return nil }
      go(to: .field(index))
      if case .flag = fields[index].content { return handle(.character(" "), inField: index) }
      return .moved
    case .choice(let field, let choice):
      guard stops.contains(.field(field)) else { return nil }
      go(to: .field(field))
      return pick(choice, inField: field)
    }
  }

  /// Handles the keys that have a default meaning everywhere.
  private mutating func common(_ key: Key) -> Intent? {
    switch key {
    case .escape: return .back
    case .character("q"): return takesLetters ? nil : .leave
    case .character("?"): return .help
    case .tab: return move(by: 1, wraps: true)
    case .backTab: return move(by: -1, wraps: true)
    case .down: return scrolls(by: 1) ?? move(by: 1)
    case .up: return scrolls(by: -1) ?? move(by: -1)
    case .right: return move(by: 1)
    case .left: return move(by: -1)
    case .pageDown: return scrolls(by: scroll.page)
    case .pageUp: return scrolls(by: -scroll.page)
    case .wheelDown: return scrolls(by: 1)
    case .wheelUp: return scrolls(by: -1)
    default: return nil
    }
  }

  private mutating func scrolls(by rows: Int) -> Intent? {
    // Where answers can be changed, the arrows move between them, and the page follows.
    let isText = (screen.kind == .message || screen.kind == .progress) && screen.changeableRows.isEmpty
    guard scroll.isNeeded, abs(rows) > 1 || isText else { return nil }
    scroll.move(by: rows)
    return .moved
  }

  /// Moves to another stop.
  mutating func move(by step: Int, wraps: Bool = false) -> Intent? {
    let stops = stops
    guard let stop, let index = stops.firstIndex(of: stop) else {
      go(to: stops.first)
      return .moved
    }
    let next = wraps ? (index + step + stops.count) % stops.count : index + step
    guard stops.indices.contains(next) else { return .moved }
    go(to: stops[next])
    if case .field(let field) = stops[next], case .choice(var picker) = fields[field].content {
      picker.enter(fromBelow: step < 0)
      fields[field].edit(to: .choice(picker))
    }
    return .moved
  }

  // MARK: Lists

  private mutating func handleInList(_ key: Key) -> Intent? {
    switch key {
    case .enter: return choose()
    case .character(" ") where several != nil: return toggle()
    case .character("?") where list?.filter.isEmpty == true: return .help
    default: return list?.handle(key) == true ? .moved : nil
    }
  }

  /// Sends the selected row, or those that are chosen.
  private func choose() -> Intent? {
    if let several, let items = list?.items {
      if let reason = several.reason { return .blocked(reason) }
      return several.payload(of: items).map { .delegate(event: Event.select, payload: $0) }
    }
    guard let item = list?.chosen else { return list?.items.isEmpty == false ? .blocked(Self.nothingMatches) : nil }
    if let reason = item.disabled { return .blocked(reason) }
    return .delegate(event: Event.select, payload: ["id": .string(item.id)])
  }

  /// Adds the selected row to the choice, or removes it.
  private mutating func toggle() -> Intent? {
    guard let item = list?.chosen else { return .moved }
    if let reason = item.disabled { return .blocked(reason) }
    several?.toggle(item)
    return .moved
  }

  // MARK: Review

  private mutating func handle(_ key: Key, onRow index: Int) -> Intent? {
    switch key {
    case .enter, .character(" "): return change(index)
    default: return nil
    }
  }

  private func change(_ index: Int) -> Intent? {
    screen.review[safe: index]?.changePayload.map { .delegate(event: ReviewRow.change, payload: $0) }
  }

  // MARK: Actions

  private mutating func handle(_ key: Key, onAction index: Int) -> Intent? {
    if screen.kind == .menu, let intent = handleInMenu(key, index) { return intent }
    switch key {
    case .enter, .character(" "): return act(index)
    case .character where screen.kind == .list && stops.contains(.list),
      .backspace where screen.kind == .list && stops.contains(.list):
      go(to: .list)
      return handleInList(key)
    default: return nil
    }
  }

  /// Handles a key in a menu. The index is that of the focused action, if any.
  private mutating func handleInMenu(_ key: Key, _ index: Int?) -> Intent? {
    let count = screen.actions.count
    guard count > 0 else { return nil }
    switch key {
    case .down, .character("j"), .control("n"), .wheelDown: go(to: .action(((index ?? -1) + 1) % count))
    case .up, .character("k"), .control("p"), .wheelUp: go(to: .action(((index ?? 0) + count - 1) % count))
    case .home: go(to: .action(0))
    case .end: go(to: .action(count - 1))
    case .character(let digit):
      guard let number = digit.wholeNumberValue, (1...9).contains(number), number <= count else { return nil }
      go(to: .action(number - 1))
      return act(number - 1)
    default: return nil
    }
    return .moved
  }

  private mutating func act(_ index: Int) -> Intent? {
    guard let action = screen.actions[safe: index] else { return nil }
    if let reason = action.disabled { return .blocked(reason) }
    return screen.isFillable && action == screen.submission ? submit() : .delegate(event: action.id, payload: [:])
  }
}
