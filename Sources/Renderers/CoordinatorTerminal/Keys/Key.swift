/// An input from the keyboard or the mouse.
enum Key: Sendable, Hashable {
  /// A typed character.
  case character(Character)
  /// A letter with Ctrl.
  case control(Character)
  /// Pasted text, including line breaks.
  case paste(String)
  /// Alt-Enter.
  case newline
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case wordLeft, wordRight
  /// Movements with Shift, which select.
  case selectLeft, selectRight, selectHome, selectEnd
  /// Left with Alt.
  case altLeft
  /// The terminal has gained or lost the focus.
  case focusGained, focusLost
  /// F1.
  case help
  /// F2.
  case phone
  /// A mouse click, and the mouse wheel.
  case click(Position)
  case wheelUp, wheelDown
}
