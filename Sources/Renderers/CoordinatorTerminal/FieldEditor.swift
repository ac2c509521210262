import CoordinatorKit
import Platform
import RendererKit

/// A field of a form that is being filled in.
struct FieldEditor: Sendable, Hashable {
  /// The content of the field.
  enum Content: Sendable, Hashable {
    case text(TextEditor)
    /// A Boolean; nil until the user has chosen.
    case flag(Bool?)
    case choice(ChoicePicker)
  }

  let field: Field
  private(set) var content: Content
  /// Whether the field was changed here since its screen last determined the value.
  private(set) var isTouched = false

  init(_ field: Field, value: JSONValue?) {
    self.field = field
    content = Self.content(of: field.schema, value: field.schema.isSecret ? nil : value ?? field.schema.defaultValue)
  }

  private static func content(of schema: Schema, value: JSONValue?) -> Content {
    switch schema.rule {
    case .boolean: return .flag(value?.boolean)
    case .choice(let choices): return .choice(ChoicePicker(choices, isMultiple: false, values: value.map { [$0] } ?? []))
    case .list(let rule):
      if case .choice(let choices) = rule.items.rule {
        return .choice(ChoicePicker(choices, isMultiple: true, values: value?.array ?? []))
      }
      if let entry = FieldText.entrySchema(of: schema) {
        return .text(TextEditor(value.map { Self.lines(of: $0, entry) } ?? "", hasLines: true))
      }
      return .text(TextEditor(value.map { FieldText.text(of: $0, in: schema) } ?? ""))
    default:
      // Text is kept exactly, so that line breaks that are not edited are sent back unchanged.
      let text = value.map { $0.string ?? FieldText.text(of: $0, in: schema) }
      return .text(TextEditor(text ?? "", isSecret: schema.isSecret, hasLines: FieldText.isLong(schema)))
    }
  }

  /// Returns the entries of a list of small objects, one per line.
  private static func lines(of value: JSONValue, _ entry: Schema) -> String {
    (value.array ?? [value]).map { EntryText.text(of: $0, in: entry) }.joined(separator: "\n")
  }

  var title: String { FieldText.title(of: field) }

  /// Whether the field has no value.
  var isEmpty: Bool {
    switch content {
    case .text(let editor): editor.isEmpty
    case .flag(let flag): flag == nil
    case .choice(let picker): picker.picked.isEmpty
    }
  }

  /// Whether letters are text in this field.
  var takesText: Bool {
    switch content {
    case .text: true
    case .flag: false
    case .choice(let picker): picker.hasFilter
    }
  }

  /// Replaces the content, and marks the field as touched if its value changes.
  mutating func edit(to content: Content) {
    let before = value
    self.content = content
    if value != before { isTouched = true }
  }

  /// The unchecked values of the content.
  var value: [JSONValue] {
    switch content {
    case .text(let editor): [.string(editor.text)]
    case .flag(let flag): flag.map { [.boolean($0)] } ?? []
    case .choice(let picker): picker.values
    }
  }

  /// The field's contribution to the payload, or the reason why it is invalid.
  var answer: FieldAnswer {
    switch content {
    case .text(let editor):
      if editor.isEmpty, !field.isRequiredIfShown { return .leftOut }
      return FieldAnswer(isText ? editor.text : editor.text.trimmed, for: field, offered: nil)
    case .flag(let flag):
      guard let flag else { return field.isRequiredIfShown ? .value(false) : .leftOut }
      return .value(.boolean(flag))
    case .choice(let picker) where picker.isMultiple:
      if picker.picked.isEmpty, !field.isRequiredIfShown { return .leftOut }
      return FieldAnswer(.array(picker.values), for: field)
    case .choice(let picker):
      guard let value = picker.values.first else { return FieldAnswer.nothing(for: field) }
      return .value(value)
    }
  }

  private var isText: Bool { if case .text = field.schema.rule { true } else { false } }

  // MARK: Drafts

  /// The content as saved in a draft: a value of the field's type, or the text typed so far. nil if the field is empty
  /// or a secret.
  var draft: JSONValue? {
    guard !field.schema.isSecret else { return nil }
    switch content {
    case .text(let editor):
      guard case .list = field.schema.rule else { return .string(editor.text) }
      if let entry = FieldText.entrySchema(of: field.schema) {
        return .array(editor.text.filledLines.map { EntryText.value(of: String($0), in: entry) })
      }
      return .array(editor.text.bytes.split(separator: ",").map { .string($0.trimmed) })
    case .flag(let flag): return flag.map(JSONValue.boolean)
    case .choice(let picker): return picker.isMultiple ? .array(picker.values) : picker.values.first
    }
  }

  /// Fills in the draft of another renderer: a value, or text typed so far.
  mutating func fill(_ draft: JSONValue) {
    guard !field.schema.isSecret else { return }
    switch content {
    case .text(var editor):
      let entry = FieldText.entrySchema(of: field.schema)
      let text = draft.string ?? entry.map { Self.lines(of: draft, $0) } ?? FieldText.text(of: draft, in: field.schema)
      editor.replace(with: text)
      content = .text(editor)
    case .flag: content = .flag(draft.boolean ?? ["true": true, "false": false][draft.string ?? ""])
    case .choice(let picker):
      let texts = Set((draft.array ?? [draft]).map(\.plainText.bytes))
      let values = picker.choices.map(\.value).filter { texts.contains($0.plainText.bytes) }
      content = .choice(ChoicePicker(picker.choices, isMultiple: picker.isMultiple, values: values))
    }
  }

  /// Clears a secret; leaves any other field unchanged.
  mutating func forgetSecret() {
    guard field.schema.isSecret else { return }
    content = Self.content(of: field.schema, value: nil)
    isTouched = false
  }
}

/// Choices of which one, or several, can be picked. Many choices are filtered while the user types.
struct ChoicePicker: Sendable, Hashable {
  /// The maximum number of choices that are all shown at once.
  static let mostShown = 6

  let choices: [Schema.Choice]
  /// Whether several choices may be picked.
  let isMultiple: Bool
  /// The index of the choice that receives the keys.
  private(set) var cursor = 0
  private(set) var picked: Set<Int> = []
  /// The text typed to find a choice among many.
  private(set) var filter = TextEditor()
  /// The choices that match the filter.
  private(set) var found: RowMatches
  /// Whether the filter was edited last, without a later move of the cursor.
  private(set) var isFiltering = false

  init(_ choices: [Schema.Choice], isMultiple: Bool, values: [JSONValue]) {
    self.choices = choices
    self.isMultiple = isMultiple
    found = .everything(choices.count)
    picked = Set(choices.indices.filter { values.contains(choices[$0].value) })
    cursor = picked.min() ?? 0
  }

  /// Whether there are so many choices that they are filtered.
  var hasFilter: Bool { choices.count > Self.mostShown }

  /// The values of the picked choices, in the order of the choices.
  var values: [JSONValue] { picked.sorted().map { choices[$0].value } }

  /// Moves the cursor.
  ///
  /// - Returns: whether there is a choice in that direction, or several can be picked and the text for the filter ends here, so
  ///   that a blank picks again.
  mutating func move(by step: Int) -> Bool {
    defer { isFiltering = false }
    guard let place = found.rows.firstIndex(of: cursor), let next = found.rows[safe: place + step] else {
      return isMultiple && isFiltering
    }
    cursor = next
    return true
  }

  /// Moves the cursor into the picker: to the last choice when coming from below, otherwise to the first picked one.
  mutating func enter(fromBelow: Bool) {
    clearFilter()
    cursor = fromBelow && !hasFilter ? max(choices.count - 1, 0) : picked.min() ?? 0
  }

  /// Whether a blank is a part of the text that is being typed, and picks nothing.
  var takesBlank: Bool { isFiltering && filter.takesBlank }

  /// Handles a key that is text for the filter.
  ///
  /// - Returns: whether the filter has changed.
  mutating func type(_ key: Key) -> Bool {
    guard hasFilter else { return false }
    var changed = filter
    guard changed.handle(key), changed.text != filter.text else { return false }
    filter = changed
    isFiltering = true
    let rows = choices.map { RowFilter.Row(title: FieldText.title(of: $0), subtitle: FieldText.summary(of: $0)) }
    found = RowFilter(rows).matches(filter.text)
    cursor = found.best ?? found.rows.first { $0 == cursor } ?? found.rows.first ?? cursor
    return true
  }

  /// Shows all choices again.
  mutating func clearFilter() { (filter, found, isFiltering) = (TextEditor(), .everything(choices.count), false) }

  /// Picks a choice. If several may be picked, picking a choice again removes it.
  mutating func pick(_ index: Int) {
    guard choices.indices.contains(index) else { return }
    cursor = index
    if !isMultiple {
      picked = [index]
    } else if picked.remove(index) == nil {
      picked.insert(index)
    }
  }

  /// Removes all picks.
  mutating func clear() { picked = [] }
}
