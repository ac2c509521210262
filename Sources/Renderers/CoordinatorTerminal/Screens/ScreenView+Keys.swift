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

/// Handles keys in the fields of a form.
extension ScreenView {
  mutating func handle(_ key: Key, inField index: Int) -> Intent? {
    guard fields.indices.contains(index) else { return nil }
    switch (fields[index].content, key) {
    case (.choice(let picker), .enter) where !picker.isMultiple && picker.found.rows.isEmpty: return .blocked(Self.nothingMatches)
    case (.choice(let picker), .enter) where !picker.isMultiple:
      _ = pick(picker.cursor, inField: index)
      return advance(from: index)
    case (_, .enter): return advance(from: index)
    case (.text(var editor), .up) where editor.hasLines, (.text(var editor), .down) where editor.hasLines:
      return editor.move(rows: key == .up ? -1 : 1, columns: textColumns - 1) ? edit(index, .text(editor)) : nil
    case (.text(var editor), .control("r")) where fields[index].field.schema.isRevealable:
      editor.isRevealed.toggle()
      return edit(index, .text(editor))
    case (.text(var editor), _):
      guard editor.handle(key) else { return nil }
      return edit(index, .text(editor))
    case (.flag(let flag), .character(let character)):
      switch character {
      case " ": return edit(index, .flag(!(flag ?? false)))
      default: return YesOrNo.value(of: String(character)).flatMap { edit(index, .flag($0)) }
      }
    case (.flag, .backspace), (.flag, .delete):
      return fields[index].field.isRequiredIfShown ? nil : edit(index, .flag(nil))
    case (.choice(let picker), _): return handle(key, in: picker, ofField: index)
    default: return nil
    }
  }

  /// Picks a choice of a field.
  mutating func pick(_ choice: Int, inField index: Int) -> Intent? {
    guard case .choice(var picker)? = fields[safe: index]?.content else { return nil }
    picker.pick(choice)
    return edit(index, .choice(picker))
  }

  /// Sends the form, or shows its errors.
  mutating func submit() -> Intent? {
    guard let action = screen.submission else { return nil }
    var payload: [String: JSONValue] = [:]
    var wrong: [String: String] = [:]
    for editor in shownFields.map({ fields[$0] }) {
      switch editor.answer {
      case .value(let value): payload[editor.field.name] = value
      case .leftOut: break
      case .wrong(let reason): wrong[editor.field.name] = reason
      }
    }
    guard wrong.isEmpty else {
      complain(wrong)
      return wrong.count > 1 ? .rejected(wrong.count) : .moved
    }
    reasons = [:]
    return .delegate(event: action.id, payload: payload)
  }

  /// Moves to the next field, or sends the form after the last one.
  private mutating func advance(from index: Int) -> Intent? {
    guard !isLast(index) else { return submit() }
    // An error is best reported while the user still remembers the input.
    if case .wrong(let reason) = fields[index].answer { reasons[fields[index].field.name] = reason }
    return move(by: 1)
  }

  private mutating func edit(_ index: Int, _ content: FieldEditor.Content) -> Intent? {
    let before = fields[index].value
    fields[index].edit(to: content)
    scroll.follows = true
    guard fields[index].value != before else { return .moved }
    reasons[fields[index].field.name] = nil
    return .edited
  }

  /// Handles a key that filters many choices.
  private func filter(_ key: Key, _ picker: inout ChoicePicker) -> Bool {
    switch key {
    case .escape where !picker.filter.isEmpty: picker.clearFilter()
    // A space picks, unless it is part of the typed text.
    case .character(" ") where picker.isMultiple || picker.filter.isEmpty: return false
    case .pageDown: for _ in 1..<ChoicePicker.mostShown { _ = picker.move(by: 1) }
    case .pageUp: for _ in 1..<ChoicePicker.mostShown { _ = picker.move(by: -1) }
    case .character, .paste, .control("u"), .control("w"): return picker.type(key)
    case .backspace where !picker.filter.isEmpty: return picker.type(key)
    default: return false
    }
    return true
  }

  private mutating func handle(_ key: Key, in picker: ChoicePicker, ofField index: Int) -> Intent? {
    var picker = picker
    if picker.hasFilter, filter(key, &picker) { return edit(index, .choice(picker)) }
    switch key {
    case .up, .wheelUp: guard picker.move(by: -1) else { return nil }
    case .down, .wheelDown: guard picker.move(by: 1) else { return nil }
    case .character(" "): picker.pick(picker.cursor)
    case .backspace, .delete:
      guard !fields[index].field.isRequiredIfShown || picker.isMultiple else { return nil }
      picker.clear()
    case .character(let digit):
      guard let number = digit.wholeNumberValue, picker.choices.indices.contains(number - 1) else { return nil }
      picker.pick(number - 1)
    default: return nil
    }
    return edit(index, .choice(picker))
  }
}
