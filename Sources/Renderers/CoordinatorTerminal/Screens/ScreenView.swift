import CoordinatorBus
import CoordinatorKit
import CoordinatorTools

/// A screen with what its user is doing to it: which part the keys are for, what has been typed, how far it is scrolled.
///
/// A value without any I/O: keys go in, intents come out, and a page can be made of it at any time.
struct ScreenView: Sendable, Hashable {
  private(set) var presented: PresentedScreen
  /// The fields, if the screen is a form.
  var fields: [FieldEditor] = []
  /// The rows, if the screen is a list.
  var list: ListBrowser?
  /// What keys are for; nil if there is nothing on the screen that takes any, or nothing that may without having been chosen.
  private(set) var stop: Stop?
  /// Whether the user has gone there, or has found it so.
  private var isStopChosen = false
  /// Why what was filled in cannot be sent, by field.
  var reasons: [String: String] = [:]
  var scroll = Scroll()
  /// How wide fields for text were drawn last.
  var textColumns = 50

  var screen: Screen { presented.screen }

  init(_ presented: PresentedScreen) {
    self.presented = presented
    fields = Self.editors(for: presented)
    list = presented.screen.items.map(ListBrowser.init)
    stop = standardStop(isNew: true)
  }

  /// Whether this renderer knows how to draw it.
  var isSupported: Bool {
    switch screen.kind {
    case .form: screen.form != nil
    case .list: screen.items != nil
    case .menu, .message, .progress: true
    }
  }

  // MARK: News

  /// Takes over what the screen is now. What has been typed into a field and not sent stays.
  mutating func update(to presented: PresentedScreen) {
    guard presented != self.presented else { return }
    let old = self.presented.screen
    let oldStop = stop
    fields = Self.editors(for: presented, instead: fields, of: self.presented)
    self.presented = presented
    let names = Set(fields.map(\.field.name))
    reasons = reasons.filter { names.contains($0.key) }
    let wasEmpty = old.items?.isEmpty ?? true
    if let items = presented.screen.items {
      if list == nil { list = ListBrowser(items) } else { list?.update(items) }
    } else {
      list = nil
    }
    // Who waited for an answer goes on where there is something to fill in again, or to choose from.
    let isFilled = wasEmpty && stops.contains(.list)
    let stays = old.isFillable == presented.screen.isFillable && (isStopChosen || !isFilled)
    if let kept = (stays ? oldStop : nil).flatMap({ same($0, in: old) }) {
      stop = kept
    } else {
      // Who waits for a list presses Enter for a row of it.
      let isDone = old.progress != nil && presented.screen.progress == nil && presented.screen.kind != .list
      stop = standardStop(isNew: isDone)
      isStopChosen = false
    }
  }

  /// What was filled in has been taken: from now on the screen says what is in its fields.
  mutating func sent() {
    fields = Self.editors(for: presented)
    reasons = [:]
  }

  /// Forgets all secrets.
  mutating func forgetSecrets() { for index in fields.indices { fields[index].forgetSecret() } }

  /// Shows why what was filled in was refused, and goes to the first field that is wrong.
  ///
  /// - Returns: The reasons that are about no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let names = Set(fields.map(\.field.name))
    self.reasons = reasons.filter { names.contains($0.key) }
    if let wrong = fields.firstIndex(where: { reasons[$0.field.name] != nil }), stops.contains(.field(wrong)) {
      go(to: .field(wrong))
    }
    return reasons.filter { !names.contains($0.key) }
  }

  // MARK: Drafts

  /// Whether something has been typed here that has not been sent.
  var isTouched: Bool { fields.contains(where: \.isTouched) }

  /// What has been filled in and not sent, here or elsewhere, by field; no secrets.
  var draft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret {
      draft[editor.field.name] = editor.isTouched ? editor.draft : presented.draft[editor.field.name]
    }
    return draft
  }

  // MARK: Where the keys go

  /// All parts that take keys, in their order.
  var stops: [Stop] {
    guard isSupported else { return [] }
    var stops: [Stop] = []
    if screen.isFillable { stops += fields.indices.map(Stop.field) }
    if screen.items?.isEmpty == false { stops.append(.list) }
    return stops + screen.actions.indices.map(Stop.action)
  }

  /// Makes a part the one that keys are for.
  mutating func go(to stop: Stop?) {
    self.stop = stop
    isStopChosen = stop != nil
    scroll.follows = true
  }

  /// Where one begins: at a field that needs attention, in the list, at what the screen is for. Never at what destroys something.
  ///
  /// What is pressed for a part that is gone, and what is pressed while one waits, must not do anything else: a screen that has changed
  /// or is busy leaves it to its user to go to what is beside its purpose.
  ///
  /// - Parameter isNew: Whether the screen has just come up.
  /// - Returns: nil if that is nowhere.
  private func standardStop(isNew: Bool) -> Stop? {
    let stops = stops
    if screen.isFillable {
      let told = fields.firstIndex { editor in screen.messages.contains { $0.field == editor.field.name } }
      return .field(told ?? fields.firstIndex(where: \.isEmpty) ?? 0)
    }
    if stops.first == .list { return .list }
    let actions = screen.actions
    let primary = actions.firstIndex { $0.role == .primary }
    guard isNew, screen.progress == nil else { return primary.map(Stop.action) }
    if screen.kind == .menu { return stops.first }
    let index = primary ?? actions.firstIndex { $0.role != .destructive }
    return index.map(Stop.action) ?? stops.first
  }

  /// The part that was meant before the screen changed.
  private func same(_ stop: Stop, in old: Screen) -> Stop? {
    let new: Stop? =
      switch stop {
      case .list: .list
      case .field(let index):
        old.form?.fields[safe: index].flatMap { field in fields.firstIndex { $0.field.name == field.name } }.map(Stop.field)
      case .action(let index):
        old.actions[safe: index].flatMap { action in screen.actions.firstIndex { $0.id == action.id } }.map(Stop.action)
      }
    return new.flatMap { stops.contains($0) ? $0 : nil }
  }

  /// Editors for the fields of a form; those stay that have been typed in, and those of fields that have not changed.
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
}

extension Array {
  /// The element there, if there is one.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
