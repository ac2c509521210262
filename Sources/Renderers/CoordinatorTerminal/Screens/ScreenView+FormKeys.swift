import CoordinatorKit
import RendererKit

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
