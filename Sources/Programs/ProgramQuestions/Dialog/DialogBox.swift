import Forms
import Platform

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

/// Computes the name of a box's screen, by which answers files identify it.
///
/// The name consists of the kind of the box and the words of its title and text. Numbers and paths are left out, because they
/// change from one run to the next.
enum DialogName {
  private static let longest = 60, longestText = 2_000

  /// Returns a name.
  ///
  /// - Parameters:
  ///   - box: the name of the box, such as `menu`.
  ///   - texts: its texts.
  /// - Returns: lowercase words with hyphens between them; a digest follows if the name does not contain all words.
  static func name(_ box: String, _ texts: [ProgramText]) -> String {
    let words = [box] + texts.flatMap { Self.words(of: $0, leavesNumbersOut: true) }
    var name = ""
    for word in words {
      guard word.utf8.allSatisfy({ $0 < 0x80 }), name.utf8.count + word.utf8.count < longest else {
        return "\(name)-\(digest(words))"
      }
      name += name.isEmpty ? word : "-" + word
    }
    return name
  }

  /// Returns the words of a text, in lowercase.
  static func words(of text: ProgramText, leavesNumbersOut: Bool = false) -> [String] {
    let pieces = DialogText.body(text, limit: longestText).unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    var words: [String] = []
    for scalars in pieces {
      if leavesNumbersOut, scalars.first == "/", scalars.count > 1 { continue }
      let lowercase = scalars.map(\.properties.lowercaseMapping).joined(separator: "")
      for part in lowercase.unicodeScalars.split(whereSeparator: { !$0.isWordPart }) {
        let word = part.drop { !$0.beginsWord }
        if word.isEmpty || leavesNumbersOut && word.contains(where: { $0.properties.numericType != nil }) { continue }
        words.append(String(word))
      }
    }
    return words
  }

  /// Returns the 32-bit FNV-1a hash.
  private static func digest(_ words: [String]) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }
}

extension DialogBox {
  /// The name of the screen.
  var screenName: String {
    let text = DialogMarkup(self.text, isOn: hasMarkup).plain
    return DialogName.name(isFollowUp ? name + "-more" : name, [title ?? backTitle ?? "", text])
  }
}

/// The user's answer to a box.
struct DialogChoice: Sendable, Hashable {
  /// The button or event that ended the box.
  enum Button: Sendable, Hashable {
    case okay, cancel, extra, help, escape, timeout
  }

  var button: Button
  /// The chosen rows, in list order; for Help, the row or the field that the user wants help about.
  var items: [Int] = []
  /// The entered value; of a form, one value per editable field.
  var values: [ProgramText] = []
  /// The pressed button, if the value that belongs to it must still be asked for.
  var unfinished: DialogButton.Role?

  /// Reads an answer; returns nil if the answer does not fit the box, which is then asked again.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - box: the box that was asked.
  init?(_ answer: ProgramAnswer, to box: DialogBox) {
    guard case .event(let event, let payload, let secrets) = answer else {
      guard box.cancelsBack, !box.isFollowUp else { return nil }
      self.init(.cancel, of: box)
      return
    }
    switch event {
    case "escape": self.init(.escape, of: box)
    case "timeout" where box.timeout != nil: self.init(.timeout, of: box)
    case "cancel" where box.has(.cancel), "no" where box.has(.cancel): self.init(.cancel, of: box)
    case "extra" where box.has(.extra):
      self.init(.extra, of: box)
      if box.takesValue, !box.isEditor { unfinished = .extra }
    case "help" where box.has(.help):
      self.init(.help, of: box)
      if box.helpCount > 1 { unfinished = .help }
    case "ok", "yes", "select":
      self.init(.okay, of: box)
      guard read(payload, secrets, of: box) else { return nil }
    default: return nil
    }
  }

  private init(_ button: Button, of box: DialogBox) {
    self.button = button
    items = box.takesValue ? [box.current] : []
    values = box.initialValues
  }

  /// Returns the same choice with the button that the follow-up question was about.
  func with(_ role: DialogButton.Role) -> DialogChoice {
    var choice = self
    guard button == .okay else { return choice }
    choice.button = role == .help ? .help : .extra
    return choice
  }

  private mutating func read(_ payload: [String: JSONValue], _ secrets: [String: [UInt8]], of box: DialogBox) -> Bool {
    switch box.kind {
    case .message, .document, .confirmation: return true
    case .menu, .radioList, .checkList: return readItems(payload, of: box)
    case .entry(let initial, let isHidden):
      values = [Self.value("value", payload, secrets, initial: initial, isHidden: isHidden)]
    case .editor(let bytes):
      let entered = payload["value"]?.string ?? ""
      values = [entered.bytes.equals(DialogText.editable(bytes)) ? ProgramText(bytes) : ProgramText(entered)]
    case .range(let range, let initial):
      let number = payload["value"]?.integer.map(Int.init) ?? initial
      guard range.contains(number) else { return false }
      values = [ProgramText(String(number))]
    case .form(let fields):
      let editable = fields.filter(\.isEditable)
      values = zip(editable, box.fieldNames).map { field, name in
        Self.value(name, payload, secrets, initial: field.value, isHidden: field.isHidden)
      }
    }
    return true
  }

  private mutating func readItems(_ payload: [String: JSONValue], of box: DialogBox) -> Bool {
    guard box.takesValue else { return true }
    let ids = payload["ids"]?.array?.compactMap(\.string) ?? payload["id"]?.string.map { [$0] } ?? []
    let known = box.itemIDs
    let chosen = ids.compactMap { id in known.firstIndex { $0.bytes.equals(id) } }
    guard chosen.count == ids.count, Set(chosen).count == chosen.count else { return false }
    guard box.chosenCount.contains(chosen.count) else { return false }
    items = chosen.sorted()
    return true
  }

  /// Returns the value of a field. An empty secret keeps the value that the program filled in.
  private static func value(
    _ name: String, _ payload: [String: JSONValue], _ secrets: [String: [UInt8]], initial: ProgramText, isHidden: Bool
  ) -> ProgramText {
    guard isHidden else {
      let entered = payload[name]?.string ?? ""
      return entered.bytes.equals(DialogText.field(initial)) ? initial : ProgramText(entered.oneLine)
    }
    let entered = ProgramText((secrets[name] ?? []).filter { !"\n\r\0".utf8.contains($0) })
    return entered.isEmpty ? initial : entered
  }
}

extension String {
  /// The text without line breaks and NUL, which a single-line field cannot contain.
  fileprivate var oneLine: String { String(unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\0" }) }
}

extension DialogBox {
  func has(_ role: DialogButton.Role) -> Bool { buttons.contains { $0.role == role } }

  fileprivate var isEditor: Bool { if case .editor = kind { true } else { false } }

  /// The number of rows or fields that Help can be about.
  fileprivate var helpCount: Int {
    if case .form(let fields) = kind { fields.count(where: \.isEditable) } else { items.count }
  }

  /// The number of rows that may be chosen.
  var chosenCount: ClosedRange<Int> {
    switch kind {
    case .checkList(let items): 0...items.count
    case .radioList(let items): items.contains(where: \.isOn) ? 1...1 : 0...1
    default: 1...1
    }
  }

  /// The values of the box if the user changes nothing.
  fileprivate var initialValues: [ProgramText] {
    switch kind {
    case .entry(let initial, _): [initial]
    case .editor(let bytes): [ProgramText(bytes)]
    case .range(_, let initial): [ProgramText(String(initial))]
    case .form(let fields): fields.filter(\.isEditable).map(\.value)
    default: []
    }
  }
}
