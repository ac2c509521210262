import CoordinatorBus
import CoordinatorKit
import Languages
import RendererKit

/// What a user has typed into the fields of a form, and the remarks beside them.
struct FormInput: Sendable, Hashable {
  private(set) var fields: [FieldEditor]
  /// The reasons why the form cannot be sent, by field.
  private(set) var reasons: [String: String] = [:]
  /// The remarks beside fields in which other people have typed, by field.
  private var marks: [String: DraftMark] = [:]
  /// The width of text fields when they were last drawn.
  private var textColumns = 50

  /// Creates the input of a screen. The author of a draft that exists already is not known.
  init(_ presented: PresentedScreen) {
    fields = Self.editors(for: presented)
    for (name, _) in presented.draft { marks[name] = .typedBefore }
  }

  // MARK: Updates

  /// Replaces the screen. Unsent input is kept.
  mutating func update(to presented: PresentedScreen, of old: PresentedScreen) {
    fields = Self.editors(for: presented, instead: fields, of: old)
    let names = Set(fields.map(\.field.name))
    reasons = reasons.filter { names.contains($0.key) }
  }

  /// Discards the input after it was accepted.
  mutating func discard(on presented: PresentedScreen) {
    fields = Self.editors(for: presented)
    reasons = [:]
    marks = [:]
  }

  /// Clears all secrets.
  mutating func forgetSecrets() { for index in fields.indices { fields[index].forgetSecret() } }

  /// Records the width of text fields.
  mutating func set(textColumns: Int) { self.textColumns = textColumns }

  /// Returns editors for the fields of a form. Keeps those that were edited, and those whose field has not changed.
  private static func editors(
    for new: PresentedScreen, instead editors: [FieldEditor] = [], of old: PresentedScreen? = nil
  ) -> [FieldEditor] {
    (new.screen.form?.fields ?? []).map { field in
      let (value, draft) = (new.screen.values[field.name], new.draft[field.name])
      if let editor = editors.first(where: { $0.field == field }) {
        let isSame = old?.screen.values[field.name] == value && old?.draft[field.name] == draft
        if isSame || editor.isTouched { return editor }
      }
      var editor = FieldEditor(field, value: value)
      if let draft { editor.fill(draft) }
      return editor
    }
  }

  // MARK: Shown fields

  /// The indices of the fields whose conditions hold, in display order.
  var shown: [Int] {
    let decisive = Set(fields.lazy.flatMap(\.field.conditions).map(\.field))
    guard !decisive.isEmpty else { return Array(fields.indices) }
    var values: [String: JSONValue] = [:]
    for editor in fields where decisive.contains(editor.field.name) {
      if case .value(let value) = editor.answer { values[editor.field.name] = value }
    }
    let names = Set(Form(fields.map(\.field)).shownFields(in: values).map(\.name))
    return fields.indices.filter { names.contains(fields[$0].field.name) }
  }

  /// Returns whether a field is the last one that is shown.
  func isLast(_ index: Int) -> Bool { shown.last.map { $0 <= index } ?? true }

  // MARK: Answers and errors

  /// The answers of the shown fields, and the reasons why some are wrong, by field.
  var answers: (payload: [String: JSONValue], wrong: [String: String]) {
    var payload: [String: JSONValue] = [:]
    var wrong: [String: String] = [:]
    for editor in shown.map({ fields[$0] }) {
      switch editor.answer {
      case .value(let value): payload[editor.field.name] = value
      case .leftOut: break
      case .wrong(let reason): wrong[editor.field.name] = reason
      }
    }
    return (payload, wrong)
  }

  /// Shows errors, as sentences by the names of the fields.
  ///
  /// - Returns: the first shown field that is wrong.
  mutating func complain(_ sentences: [String: String]) -> Int? {
    reasons = sentences
    return shown.first { sentences[fields[$0].field.name] != nil }
  }

  /// Shows the error of a field that the user leaves: an error is best reported while the user still remembers the input.
  mutating func complain(aboutField index: Int) {
    if case .wrong(let reason) = fields[index].answer { reasons[fields[index].field.name] = reason }
  }

  // MARK: Drafts

  /// Whether there is unsent input in this renderer.
  var isTouched: Bool { fields.contains(where: \.isTouched) }

  /// Returns the unsent values, of this or another renderer, by field. Contains no secrets.
  func draft(over others: [String: JSONValue]) -> [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret {
      draft[editor.field.name] = editor.isTouched ? editor.draft : others[editor.field.name]
    }
    return draft
  }

  /// The unsent values of this renderer, by field. Contains no secrets.
  var ownDraft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret && editor.isTouched { draft[editor.field.name] = editor.draft }
    return draft
  }

  /// Records the author of the values that differ from the previous draft.
  mutating func noteDraft(of presented: PresentedScreen, instead before: [String: JSONValue], by author: String?) {
    for editor in fields where !editor.field.schema.isSecret {
      let name = editor.field.name
      let typed = presented.draft[name]
      guard typed != before[name] else { continue }
      marks[name] = typed.flatMap { typed in
        guard editor.isTouched else { return .typed(in: author) }
        let text = typed.string ?? FieldText.text(of: typed, in: editor.field.schema)
        return typed == editor.draft ? nil : .differs(in: author, text: text.printable)
      }
    }
  }

  /// Returns the remark beside a field; nil for none. A text of another renderer belongs to this user once this user edits it.
  func mark(of editor: FieldEditor) -> DraftMark? {
    guard let mark = marks[editor.field.name] else { return nil }
    if case .typed = mark, editor.isTouched { return nil }
    return mark
  }
}

/// Handles keys in the fields of a form.
extension FormInput {
  /// Begins to fill in a field.
  mutating func enter(_ index: Int, fromBelow: Bool) {
    guard case .choice(var picker) = fields[index].content else { return }
    picker.enter(fromBelow: fromBelow)
    fields[index].edit(to: .choice(picker))
  }

  /// Handles a key other than Enter.
  ///
  /// - Returns: the resulting intent, or nil if the key has no meaning here.
  mutating func handle(_ key: Key, inField index: Int) -> Intent? {
    switch (fields[index].content, key) {
    case (.text(var editor), .up) where editor.hasLines, (.text(var editor), .down) where editor.hasLines:
      return editor.move(rows: key == .up ? -1 : 1, columns: textColumns - 1) ? edit(index, .text(editor)) : nil
    case (.text(var editor), .control("r")) where fields[index].field.schema.isRevealable:
      editor.isRevealed.toggle()
      return edit(index, .text(editor))
    case (.text(var editor), _):
      guard editor.handle(key) else { return nil }
      guard !editor.isFull else {
        let most = DecimalNumber.text(of: TextEditor.longest)
        reasons[fields[index].field.name] =
          Text("Nothing was inserted: at most {count} characters fit here.", ["count": most]).string
        return .moved
      }
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

  private mutating func edit(_ index: Int, _ content: FieldEditor.Content) -> Intent? {
    let before = fields[index].value
    fields[index].edit(to: content)
    guard fields[index].value != before else { return .moved }
    reasons[fields[index].field.name] = nil
    return .edited
  }

  /// Handles a key that filters many choices.
  private func filter(_ key: Key, _ picker: inout ChoicePicker) -> Bool {
    switch key {
    case .escape where !picker.filter.isEmpty: picker.clearFilter()
    case .character(" ") where !picker.takesBlank: return false
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
