/// A box of whiptail or dialog, as users see it. The size that the program asks for is ignored.
package struct DialogBox: Sendable, Hashable {
  /// The kind of the box, with its content.
  package enum Kind: Sendable, Hashable {
    /// A text with buttons.
    case message
    /// The contents of a file.
    case document([UInt8])
    /// A question with yes and no.
    case confirmation
    /// One line of text, or a secret.
    case entry(initial: ProgramText, isHidden: Bool)
    /// Several lines of text.
    case editor([UInt8])
    /// A choice of one item.
    case menu([DialogItem])
    /// A choice of at most one item.
    case radioList([DialogItem])
    /// A choice of any number of items.
    case checkList([DialogItem])
    /// Several fields.
    case form([DialogField])
    /// A number.
    case range(ClosedRange<Int>, initial: Int)
  }

  /// The name of the box, such as `msgbox`.
  package var name: String
  package var kind: Kind
  package var title: ProgramText?
  package var backTitle: ProgramText?
  /// The title to show if the box has neither a title nor a backtitle.
  package var programTitle = ""
  /// The text, with line breaks as the program shows them.
  package var text: ProgramText
  /// Whether `\Z` in the text changes how it looks.
  package var hasMarkup = false
  /// The buttons, in the order in which the program shows them.
  package var buttons: [DialogButton]
  /// The button that Enter presses initially.
  package var defaultButton = DialogButton.Role.okay
  /// The index of the item that the cursor is on initially.
  package var current = 0
  /// The time in seconds after which the program stops waiting; nil if it waits forever.
  package var timeout: Int?
  /// Whether the box asks for the value that belongs to a previously pressed button.
  var isFollowUp = false
  /// Whether Cancel goes back to the previous question.
  var cancelsBack: Bool {
    isFollowUp || (buttons.first { $0.role == .cancel }.map(\.saysBack) ?? false)
  }

  /// The items of a list; empty for other boxes.
  var items: [DialogItem] {
    switch kind {
    case .menu(let items), .radioList(let items), .checkList(let items): items
    default: []
    }
  }

  /// Whether the box takes a value, not only a button.
  var takesValue: Bool {
    switch kind {
    case .message, .document, .confirmation: false
    case .menu, .radioList, .checkList: !items.isEmpty
    case .form(let fields): fields.contains(where: \.isEditable)
    case .entry, .editor, .range: true
    }
  }

  /// Returns the same box asking for the value that belongs to a button, with only that button and Back.
  func asking(_ role: DialogButton.Role) -> DialogBox {
    var box = self
    box.isFollowUp = true
    box.buttons = buttons.filter { $0.role == role }.map { DialogButton(.okay, $0.label) }
    // Help is about one item, even if several can be chosen.
    if role == .help {
      switch kind {
      case .checkList(let items), .radioList(let items): box.kind = .menu(items)
      case .form(let fields):
        box.kind = .menu(fields.filter(\.isEditable).map { DialogItem(tag: $0.label, text: "", help: $0.help) })
      default: break
      }
    }
    return box
  }
}
