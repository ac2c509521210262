import CoordinatorBus
import CoordinatorKit
import Languages
import QRCodes
import RendererKit

/// A screen with the state of its user's interaction: the focused stop, the typed text, the scroll position.
///
/// A value without I/O: it turns keys into intents, and can render a page at any time.
struct ScreenView: Sendable, Hashable {
  private(set) var presented: PresentedScreen
  /// The fields, if the screen is a form.
  var fields: [FieldEditor] = []
  /// The rows, if the screen is a list.
  var list: ListBrowser?
  /// The chosen rows, if the screen is a list on which several can be chosen.
  var several: SeveralChoice?
  /// The QR code, if the screen shows one.
  private(set) var code: QRCode?
  /// The part that receives the keys; nil if the screen has none, or if the remaining ones must be chosen explicitly.
  private(set) var stop: Stop?
  /// Whether the user has chosen the stop explicitly.
  private var isStopChosen = false
  /// The reasons why the form cannot be sent, by field.
  var reasons: [String: String] = [:]
  /// The remarks beside fields in which other people have typed, by field.
  var marks: [String: DraftMark] = [:]
  var scroll = Scroll()
  /// The width of text fields when they were last drawn.
  var textColumns = 50

  var screen: Screen { presented.screen }

  init(_ presented: PresentedScreen) {
    self.presented = presented
    fields = Self.editors(for: presented)
    noteEarlierDraft()
    list = presented.screen.items.map(ListBrowser.init)
    several = SeveralChoice(presented.screen)
    code = Self.code(of: presented.screen)
    let preselected = presented.screen.preselectedItem?.id
    list?.begin(at: preselected)
    stop = standardStop(isNew: true)
  }

  /// Whether this renderer can draw the screen.
  var isSupported: Bool {
    switch screen.kind {
    case .form: screen.form != nil
    case .list: screen.items != nil
    case .menu, .message, .progress: true
    }
  }

  // MARK: Updates

  /// Replaces the screen. Unsent input is kept.
  mutating func update(to presented: PresentedScreen) {
    guard presented != self.presented else { return }
    let old = self.presented.screen
    let oldStop = stop
    fields = Self.editors(for: presented, instead: fields, of: self.presented)
    self.presented = presented
    let names = Set(fields.map(\.field.name))
    reasons = reasons.filter { names.contains($0.key) }
    let wasEmpty = old.items?.isEmpty ?? true
    // A screen whose suggestions have changed is presented again, as after Back from the next one.
    let isAskedAgain = presented.screen.suggested != nil && presented.screen.suggested != old.suggested
    updateList(isNew: wasEmpty || isAskedAgain)
    if old.picture != presented.screen.picture { code = Self.code(of: presented.screen) }
    // After waiting for a reply, the user continues at a field to fill in again, or at a list to choose from.
    let isFilled = wasEmpty && stops.contains(.list)
    let stays = old.isFillable == presented.screen.isFillable && (isStopChosen || !isFilled) && !isAskedAgain
    if let kept = (stays ? oldStop : nil).flatMap({ same($0, in: old) }) {
      stop = kept
    } else {
      // While a list loads, its user presses Enter for one of its rows.
      let isDone = old.progress != nil && presented.screen.progress == nil && presented.screen.kind != .list
      stop = standardStop(isNew: isDone || isAskedAgain)
      isStopChosen = false
    }
  }

  /// Discards the input after it was accepted. From now on the screen determines the values of its fields.
  mutating func sent() {
    fields = Self.editors(for: presented)
    several = SeveralChoice(screen)
    reasons = [:]
    marks = [:]
  }

  /// Clears all secrets.
  mutating func forgetSecrets() { for index in fields.indices { fields[index].forgetSecret() } }

  /// Shows the reasons for a refusal, and moves to the first field that is wrong.
  ///
  /// - Returns: the reasons that concern no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let told = FormReasons(reasons, of: fields.map(\.field))
    complain(told.texts)
    return told.others
  }

  /// Shows errors, as sentences by the names of the fields, and moves to the first of these fields.
  mutating func complain(_ sentences: [String: String]) {
    reasons = sentences
    if let wrong = shownFields.first(where: { sentences[fields[$0].field.name] != nil }), stops.contains(.field(wrong)) {
      go(to: .field(wrong))
    }
  }

  // MARK: Drafts

  /// Whether there is unsent input in this renderer.
  var isTouched: Bool { fields.contains(where: \.isTouched) || several != SeveralChoice(screen) }

  /// The unsent values, of this or another renderer, by field. Contains no secrets.
  var draft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret {
      draft[editor.field.name] = editor.isTouched ? editor.draft : presented.draft[editor.field.name]
    }
    return draft
  }

  // MARK: Focus

  /// All parts that receive keys, in order.
  var stops: [Stop] {
    guard isSupported else { return [] }
    var stops: [Stop] = []
    if screen.isFillable { stops += shownFields.map(Stop.field) }
    if screen.items?.isEmpty == false { stops.append(.list) }
    return stops + screen.changeableRows.map(Stop.review) + screen.actions.indices.map(Stop.action)
  }

  /// Makes a part the one that receives the keys.
  mutating func go(to stop: Stop?) {
    self.stop = stop
    isStopChosen = stop != nil
    scroll.follows = true
  }

  /// Returns the initial stop: a field that needs attention, the screen's suggestion, the list, or the primary purpose of the
  /// screen. Outside of menus, a destructive action only if there is no other.
  ///
  /// A key that was meant for a part that is gone, or that was pressed while waiting, must not trigger another part. On a
  /// screen that has changed or is busy, the user must therefore move explicitly to anything but its primary purpose.
  ///
  /// - Parameter isNew: whether the screen has just appeared.
  /// - Returns: the stop, or nil if there is none.
  private func standardStop(isNew: Bool) -> Stop? {
    let stops = stops
    if screen.isFillable {
      let shown = shownFields
      let told = shown.first { index in screen.messages.contains { $0.field == fields[index].field.name } }
      return .field(told ?? shown.first { fields[$0].isEmpty } ?? shown.first ?? 0)
    }
    let actions = screen.actions
    let suggested = screen.suggestedAction.flatMap { action in actions.firstIndex { $0.id == action.id } }.map(Stop.action)
    if isNew, let suggested { return suggested }
    if stops.first == .list { return .list }
    let primary = actions.firstIndex { $0.role == .primary && $0.disabled == nil }
    guard isNew, screen.progress == nil else { return primary.map(Stop.action) }
    if screen.kind == .menu {
      let index = actions.firstIndex { $0.disabled == nil } ?? actions.indices.first
      return index.map(Stop.action) ?? stops.first
    }
    let index = primary ?? actions.firstIndex { $0.role != .destructive && $0.disabled == nil }
    return index.map(Stop.action) ?? stops.first
  }

  /// Returns the stop that corresponds to a stop of the previous screen.
  private func same(_ stop: Stop, in old: Screen) -> Stop? {
    let new: Stop? =
      switch stop {
      case .list: .list
      case .review(let index):
        old.review[safe: index].flatMap { row in
          screen.review.firstIndex { $0.screen == row.screen && $0.title == row.title }
        }.map(Stop.review)
      case .field(let index):
        old.form?.fields[safe: index].flatMap { field in fields.firstIndex { $0.field.name == field.name } }.map(Stop.field)
      case .action(let index):
        old.actions[safe: index].flatMap { action in screen.actions.firstIndex { $0.id == action.id } }.map(Stop.action)
      }
    return new.flatMap { stops.contains($0) ? $0 : nil }
  }
}

extension Array {
  /// Returns the element at an index, or nil if the index is out of range.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// The fields that are currently shown.
extension ScreenView {
  /// The indices of the fields whose conditions hold, in display order.
  var shownFields: [Int] {
    let decisive = Set(fields.lazy.flatMap(\.field.conditions).map(\.field))
    guard !decisive.isEmpty else { return Array(fields.indices) }
    var values: [String: JSONValue] = [:]
    for editor in fields where decisive.contains(editor.field.name) {
      if case .value(let value) = editor.answer { values[editor.field.name] = value }
    }
    let shown = Set(Form(fields.map(\.field)).shownFields(in: values).map(\.name))
    return fields.indices.filter { shown.contains(fields[$0].field.name) }
  }

  /// Returns whether a field is the last one that is shown.
  func isLast(_ index: Int) -> Bool { shownFields.last.map { $0 <= index } ?? true }
}

/// The texts of other renderers in the fields of a form.
extension ScreenView {
  /// Records the author of the values that differ from the previous draft.
  mutating func noteDraft(instead before: [String: JSONValue], by author: String?) {
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

  /// Records the draft that existed before this renderer was attached. Its author is not known.
  mutating func noteEarlierDraft() {
    for (name, _) in presented.draft { marks[name] = .typedBefore }
  }

  /// Returns the remark beside a field; nil for none. A text of another renderer belongs to this user once this user edits it.
  func mark(of editor: FieldEditor) -> DraftMark? {
    guard let mark = marks[editor.field.name] else { return nil }
    if case .typed = mark, editor.isTouched { return nil }
    return mark
  }

  /// The unsent values of this renderer, by field. Contains no secrets.
  var ownDraft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret && editor.isTouched { draft[editor.field.name] = editor.draft }
    return draft
  }
}

/// Keeps the state of the interaction when the content of a screen changes.
extension ScreenView {
  /// Adopts the rows of the current screen. A list that was empty, or is presented again, begins like a new one.
  mutating func updateList(isNew: Bool) {
    let suggested = SeveralChoice(screen)
    let isSame = suggested?.count == several?.count && !isNew
    guard let items = screen.items else {
      (list, several) = (nil, nil)
      return
    }
    if isSame { several?.update(to: items) } else { several = suggested }
    let preselected = screen.preselectedItem?.id
    if list == nil { list = ListBrowser(items) } else { list?.update(items) }
    if isNew { list?.begin(at: preselected) }
  }

  /// Returns the QR code that a screen shows. Encoding takes too long to be repeated whenever the screen is drawn.
  static func code(of screen: Screen) -> QRCode? {
    if case .code(let text) = screen.picture { QRCode(text) } else { nil }
  }

  /// Returns editors for the fields of a form. Keeps those that were edited, and those whose field has not changed.
  static func editors(
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
}

/// A part of a screen that can receive keys and clicks.
enum Stop: Sendable, Hashable {
  /// The rows of a list.
  case list
  /// A field, by its index.
  case field(Int)
  /// The change of an answer under review, by the index of its row.
  case review(Int)
  /// An action, by its index.
  case action(Int)
}

/// The target of a click.
enum Target: Sendable, Hashable {
  /// A row of a list, by its index among all items.
  case item(Int)
  case field(Int)
  /// A choice of a field.
  case choice(field: Int, Int)
  /// The change of an answer under review, by the index of its row.
  case review(Int)
  case action(Int)
}

/// The intent of a key on a screen.
enum Intent: Sendable, Hashable {
  /// The content of a form has changed.
  case edited
  /// This number of answers of the form are wrong.
  case rejected(Int)
  /// Only the appearance has changed.
  case moved
  /// Delegate an event to the coordinator.
  case delegate(event: String, payload: [String: JSONValue])
  /// The chosen part cannot be chosen now, for this reason.
  case blocked(String)
  /// Go back.
  case back
  /// Leave the renderer; the flow continues.
  case leave
  /// Show the help for the keys.
  case help
}
