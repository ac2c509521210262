/// A box of whiptail or dialog, as a person sees it. The size that the program asks for does not matter.
package struct DialogBox: Sendable, Hashable {
  /// What the box is.
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
    /// One of several.
    case menu([DialogItem])
    /// At most one of several, the one that is on.
    case radioList([DialogItem])
    /// Any of several.
    case checkList([DialogItem])
    /// Several fields.
    case form([DialogField])
    /// A number.
    case range(ClosedRange<Int>, initial: Int)
  }

  /// What the box is called by the program, such as `msgbox`.
  package var name: String
  package var kind: Kind
  package var title: ProgramText?
  package var backTitle: ProgramText?
  /// What stands above a box that has neither.
  package var programTitle = ""
  /// The text, with line breaks as the program shows them.
  package var text: ProgramText
  /// Whether `\Z` in the text changes how it looks.
  package var hasMarkup = false
  /// The buttons, in the order in which the program shows them.
  package var buttons: [DialogButton]
  /// The button that Enter presses at first.
  package var defaultButton = DialogButton.Role.okay
  /// The item that the cursor is on at first.
  package var current = 0
  /// After how many seconds the program stops waiting; nil if it waits for ever.
  package var timeout: Int?
  /// Whether the box asks again for what belongs to a button that was pressed before.
  var isFollowUp = false
  /// Whether the program goes back to its question before on the button Cancel.
  var cancelsBack: Bool {
    isFollowUp || (buttons.first { $0.role == .cancel }.map(\.saysBack) ?? false)
  }

  /// The items of a list; none for other boxes.
  var items: [DialogItem] {
    switch kind {
    case .menu(let items), .radioList(let items), .checkList(let items): items
    default: []
    }
  }

  /// Whether a person gives more than the choice of a button.
  var takesValue: Bool {
    switch kind {
    case .message, .document, .confirmation: false
    case .menu, .radioList, .checkList: !items.isEmpty
    case .form(let fields): fields.contains(where: \.isEditable)
    case .entry, .editor, .range: true
    }
  }

  /// The same box, which asks for what belongs to a button: only its button and Back.
  func asking(_ role: DialogButton.Role) -> DialogBox {
    var box = self
    box.isFollowUp = true
    box.buttons = buttons.filter { $0.role == role }.map { DialogButton(.okay, $0.label) }
    // Help is about one item, whatever is chosen.
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
