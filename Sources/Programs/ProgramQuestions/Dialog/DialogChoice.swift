import Forms
import Platform

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
