import CoordinatorBus
import CoordinatorKit
import Languages
import Platform
import QRCodes
import RendererKit

/// A screen with the state of its user's interaction: the focused stop, the typed text, the scroll position.
///
/// A value without I/O: it turns keys into intents, and can render a page at any time.
struct ScreenView: Sendable, Hashable {
  private(set) var presented: PresentedScreen
  private(set) var form: FormInput
  private(set) var rows: ListInput
  /// The QR code, if the screen shows one.
  private(set) var code: QRCode?
  /// The part that receives the keys; nil if the screen has none, or if the remaining ones must be chosen explicitly.
  private(set) var stop: Stop?
  /// Whether the user has chosen the stop explicitly.
  private var isStopChosen = false
  private(set) var scroll = Scroll()

  var screen: Screen { presented.screen }

  init(_ presented: PresentedScreen) {
    self.presented = presented
    form = FormInput(presented)
    rows = ListInput(presented.screen)
    code = Self.code(of: presented.screen)
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
    form.update(to: presented, of: self.presented)
    self.presented = presented
    let wasEmpty = old.items?.isEmpty ?? true
    // A screen whose suggestions have changed is presented again, as after Back from the next one.
    let isAskedAgain = presented.screen.suggested != nil && presented.screen.suggested != old.suggested
    rows.update(to: screen, isNew: wasEmpty || isAskedAgain)
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
    form.discard(on: presented)
    rows.discard(on: screen)
  }

  /// Clears all secrets.
  mutating func forgetSecrets() { form.forgetSecrets() }

  /// Shows the reasons for a refusal, and moves to the first field that is wrong.
  ///
  /// - Returns: the reasons that concern no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let told = FormReasons(reasons, of: form.fields.map(\.field))
    complain(told.texts)
    return told.others
  }

  /// Shows errors, as sentences by the names of the fields, and moves to the first of these fields.
  private mutating func complain(_ sentences: [String: String]) {
    if let wrong = form.complain(sentences), stops.contains(.field(wrong)) { go(to: .field(wrong)) }
  }

  /// Selects the row with an id, or the first one.
  mutating func beginList(at id: String?) { rows.begin(at: id) }

  /// Returns the QR code that a screen shows. Encoding takes too long to be repeated whenever the screen is drawn.
  private static func code(of screen: Screen) -> QRCode? {
    if case .code(let text) = screen.picture { QRCode(text) } else { nil }
  }

  // MARK: Drafts

  /// Whether there is unsent input in this renderer.
  var isTouched: Bool { form.isTouched || rows.isTouched(on: screen) }

  /// The unsent values, of this or another renderer, by field. Contains no secrets.
  var draft: [String: JSONValue] { form.draft(over: presented.draft) }

  /// Records the author of the values that differ from the previous draft.
  mutating func noteDraft(instead before: [String: JSONValue], by author: String?) {
    form.noteDraft(of: presented, instead: before, by: author)
  }

  // MARK: Drawing

  /// Draws a page of the screen into an area, and records its scroll position.
  mutating func draw(_ page: Page, into frame: inout Frame, in area: Area, symbols: Symbols) {
    frame.draw(page, in: area, scroll: &scroll, symbols: symbols)
  }

  /// Draws a page of the screen in a box, and records its scroll position.
  mutating func drawInBox(_ page: Page, into frame: inout Frame, in area: Area, padding: Int, symbols: Symbols) {
    frame.drawInBox(page, in: area, padding: padding, scroll: &scroll, symbols)
  }

  /// Records the width of text fields.
  mutating func set(textColumns: Int) { form.set(textColumns: textColumns) }

  /// Scrolls the list so that the selected row is visible.
  mutating func settleList(page: Int) { rows.settle(page: page) }

  // MARK: Focus

  /// All parts that receive keys, in order.
  var stops: [Stop] {
    guard isSupported else { return [] }
    var stops: [Stop] = []
    if screen.isFillable { stops += form.shown.map(Stop.field) }
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
      let shown = form.shown
      let told = shown.first { index in screen.messages.contains { $0.field == form.fields[index].field.name } }
      return .field(told ?? shown.first { form.fields[$0].isEmpty } ?? shown.first ?? 0)
    }
    let actions = screen.actions
    let suggested = screen.suggestedAction.flatMap { action in actions.firstIndex { $0.id == action.id } }.map(Stop.action)
    if isNew, let suggested { return suggested }
    if stops.first == .list { return .list }
    let primary = actions.firstIndex { $0.role == .primary && $0.disabled == nil }
    guard isNew, screen.progress == nil else { return primary.map(Stop.action) }
    if screen.kind == .menu {
      // Enter must not choose a destructive action to which the user has not moved.
      let offered = actions.indices.filter { actions[$0].disabled == nil }
      let index = offered.first { actions[$0].role != .destructive } ?? (offered.isEmpty ? actions.indices.first : nil)
      return index.map(Stop.action)
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
        old.form?.fields[safe: index].flatMap { field in form.fields.firstIndex { $0.field.name == field.name } }.map(Stop.field)
      case .action(let index):
        old.actions[safe: index].flatMap { action in screen.actions.firstIndex { $0.id == action.id } }.map(Stop.action)
      }
    return new.flatMap { stops.contains($0) ? $0 : nil }
  }
}

/// Handles keys.
extension ScreenView {
  /// Handles a key.
  ///
  /// - Returns: the resulting intent, or nil if the key has no meaning here.
  mutating func handle(_ key: Key) -> Intent? {
    switch key {
    case .help: return .help
    case .altLeft: return .back
    default: break
    }
    let intent: Intent? =
      switch stop {
      case .field(let index): handle(key, inField: index)
      case .list: handleInList(key)
      case .review(let index): handle(key, onRow: index)
      case .action(let index): handle(key, onAction: index)
      case nil: screen.kind == .menu && isSupported ? handleInMenu(key, nil) : nil
      }
    return intent ?? common(key)
  }

  /// Handles a click on a part of the screen.
  mutating func click(_ target: Target) -> Intent? {
    switch target {
    case .item(let index):
      guard stops.contains(.list) else { return nil }
      go(to: .list)
      rows.select(item: index)
      return rows.several == nil ? rows.choose() : rows.toggle()
    case .review(let index):
      guard stops.contains(.review(index)) else { return nil }
      go(to: .review(index))
      return change(index)
    case .action(let index):
      guard stops.contains(.action(index)) else { return nil }
      go(to: .action(index))
      return act(index)
    case .field(let index):
      guard stops.contains(.field(index)) else { return nil }
      go(to: .field(index))
      if case .flag = form.fields[index].content { return handle(.character(" "), inField: index) }
      return .moved
    case .choice(let field, let choice):
      guard stops.contains(.field(field)) else { return nil }
      go(to: .field(field))
      return form.pick(choice, inField: field)
    }
  }

  /// Handles the keys that have a default meaning everywhere.
  private mutating func common(_ key: Key) -> Intent? {
    switch key {
    case .escape: return .back
    case .character("q"): return takesLetters ? nil : .leave
    case .character("?"): return .help
    case .tab: return move(by: 1, wraps: true)
    case .backTab: return move(by: -1, wraps: true)
    case .down: return scrolls(by: 1) ?? move(by: 1)
    case .up: return scrolls(by: -1) ?? move(by: -1)
    case .right: return move(by: 1)
    case .left: return move(by: -1)
    case .pageDown: return scrolls(by: scroll.page)
    case .pageUp: return scrolls(by: -scroll.page)
    case .wheelDown: return scrolls(by: 1)
    case .wheelUp: return scrolls(by: -1)
    default: return nil
    }
  }

  private mutating func scrolls(by rows: Int) -> Intent? {
    // Where answers can be changed, the arrows move between them, and the page follows.
    let isText = (screen.kind == .message || screen.kind == .progress) && screen.changeableRows.isEmpty
    guard scroll.isNeeded, abs(rows) > 1 || isText else { return nil }
    scroll.move(by: rows)
    return .moved
  }

  /// Moves to another stop.
  private mutating func move(by step: Int, wraps: Bool = false) -> Intent? {
    let stops = stops
    guard let stop, let index = stops.firstIndex(of: stop) else {
      go(to: stops.first)
      return .moved
    }
    let next = wraps ? (index + step + stops.count) % stops.count : index + step
    guard stops.indices.contains(next) else { return .moved }
    go(to: stops[next])
    if case .field(let field) = stops[next] { form.enter(field, fromBelow: step < 0) }
    return .moved
  }

  private mutating func handleInList(_ key: Key) -> Intent? { key == .enter ? rows.choose() : rows.handle(key) }

  // MARK: Review

  private mutating func handle(_ key: Key, onRow index: Int) -> Intent? {
    switch key {
    case .enter, .character(" "): return change(index)
    default: return nil
    }
  }

  private func change(_ index: Int) -> Intent? {
    screen.review[safe: index]?.changePayload.map { .delegate(event: ReviewRow.change, payload: $0) }
  }

  // MARK: Actions

  private mutating func handle(_ key: Key, onAction index: Int) -> Intent? {
    if screen.kind == .menu, let intent = handleInMenu(key, index) { return intent }
    switch key {
    case .enter, .character(" "): return act(index)
    case .character where screen.kind == .list && stops.contains(.list),
      .backspace where screen.kind == .list && stops.contains(.list):
      go(to: .list)
      return handleInList(key)
    default: return nil
    }
  }

  /// Handles a key in a menu. The index is that of the focused action, if any.
  private mutating func handleInMenu(_ key: Key, _ index: Int?) -> Intent? {
    let count = screen.actions.count
    guard count > 0 else { return nil }
    if let index = yesOrNo(key) {
      go(to: .action(index))
      return act(index)
    }
    switch key {
    case .down, .character("j"), .control("n"), .wheelDown: go(to: .action(((index ?? -1) + 1) % count))
    case .up, .character("k"), .control("p"), .wheelUp: go(to: .action(((index ?? 0) + count - 1) % count))
    case .home: go(to: .action(0))
    case .end: go(to: .action(count - 1))
    case .character(let digit):
      guard let number = digit.wholeNumberValue, (1...9).contains(number), number <= count else { return nil }
      go(to: .action(number - 1))
      return act(number - 1)
    default: return nil
    }
    return .moved
  }

  /// Returns the action that a letter means where the answers are yes and no; the letters are those of the language.
  private func yesOrNo(_ key: Key) -> Int? {
    guard case .character(let letter) = key else { return nil }
    let ids = screen.actions.map(\.id)
    return YesOrNo.id(of: String(letter), among: ids).flatMap { id in ids.firstIndex { $0.bytes.equals(id) } }
  }

  private mutating func act(_ index: Int) -> Intent? {
    guard let action = screen.actions[safe: index] else { return nil }
    if let reason = action.disabled { return .blocked(reason) }
    return screen.isFillable && action == screen.submission ? submit() : .delegate(event: action.id, payload: [:])
  }
  // MARK: Fields

  private mutating func handle(_ key: Key, inField index: Int) -> Intent? {
    guard form.fields.indices.contains(index) else { return nil }
    guard key == .enter else {
      let intent = form.handle(key, inField: index)
      if intent == .edited || intent == .moved { scroll.follows = true }
      return intent
    }
    if case .choice(let picker) = form.fields[index].content, !picker.isMultiple {
      guard !picker.found.rows.isEmpty else { return .blocked(Self.nothingMatches) }
      _ = form.pick(picker.cursor, inField: index)
      scroll.follows = true
    }
    return advance(from: index)
  }

  /// Moves to the next field, or sends the form after the last one.
  private mutating func advance(from index: Int) -> Intent? {
    guard !form.isLast(index) else { return submit() }
    form.complain(aboutField: index)
    return move(by: 1)
  }

  /// Sends the form, or shows its errors.
  private mutating func submit() -> Intent? {
    guard let action = screen.submission else { return nil }
    let (payload, wrong) = form.answers
    complain(wrong)
    guard wrong.isEmpty else { return wrong.count > 1 ? .rejected(wrong.count) : .moved }
    return .delegate(event: action.id, payload: payload)
  }
}
