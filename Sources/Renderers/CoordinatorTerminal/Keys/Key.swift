/// Something that a person did with the keyboard or the mouse.
enum Key: Sendable, Hashable {
  /// What a key writes.
  case character(Character)
  /// A letter with Ctrl.
  case control(Character)
  /// Text that was pasted, line breaks included.
  case paste(String)
  /// Alt-Enter.
  case newline
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case wordLeft, wordRight
  /// With Shift, to select.
  case selectLeft, selectRight, selectHome, selectEnd
  /// Left with Alt.
  case altLeft
  /// F1.
  case help
  /// A click, and the wheel.
  case click(Position)
  case wheelUp, wheelDown
}
