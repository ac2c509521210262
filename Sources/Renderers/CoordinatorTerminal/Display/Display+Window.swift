import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// Input from the daemon.
extension Display {
  private static var answeredElsewhere: String { Text("Answered elsewhere.").string }

  mutating func take(_ event: WindowEvent) -> [Effect] {
    switch event {
    case .window(let window):
      if phase == .calling || phase == .counting { held = window } else { take(window) }
    case .progress(let screen, let progress): change(screen) { $0.screen.progress = progress }
    case .drafted(let screen, let draft): takeDraft(draft, on: screen)
    case .typing(_, let participant):
      company.typing(participant)
      typist = participant.title
    case .participants(let participants): take(participants)
    case .language(let language):
      held?.language = language
      window?.language = language
    case .answered(let answer):
      notice = DisplayNotice(.info, answer.sentence(inKind: "terminal"))
      company.stopTyping()
    case .daemonLost:
      isAway = true
      // No reply will arrive. The next window shows whether the call was accepted.
      phase = .ready
      takeHeld()
    case .daemonBack:
      isAway = false
      notice = DisplayNotice(.info, ConnectionNews.back)
    case .ended(let end):
      phase = .over
      self.end = end
      return [.leave(end.exitCode, unsentLines + notes.summary(of: end).lines)]
    }
    return []
  }

  mutating func accepted(_ revision: UInt64) {
    guard phase == .calling else { return }
    phase = .settling(revision: revision)
    takeHeld()
    settle()
  }

  mutating func refused(_ error: ClientError) {
    guard phase == .calling else { return }
    phase = .ready
    takeHeld()
    switch error {
    case .refused(.invalidPayload(_, let reasons)):
      guard let asked, let others = views[asked.screen]?.reject(reasons) else { return }
      if !others.isEmpty {
        notice = DisplayNotice(.error, FormReasons(others, of: []).otherSentences.joined(separator: "; "))
      } else if let count = views[asked.screen]?.form.reasons.count, count > 1 {
        notice = DisplayNotice(.error, FormReasons.summary(of: count))
      }
    case .refused(.staleScreen(_, .changed)): outdated(DisplayNotice(.info, Text("This screen has changed in the meantime.")))
    case .refused(.staleScreen), .refused(.unknownScreen),
      _ where error.isUnknownObject:
      // A notice that names the other renderer takes precedence.
      outdated(notice ?? DisplayNotice(.info, Self.answeredElsewhere))
    case .refused(.flowFailed): outdated(DisplayNotice(.error, error.sentence))
    default: notice = DisplayNotice(.error, error.sentence)
    }
  }

  private mutating func take(_ window: MirroredWindow) {
    let window = window.withoutClosedAnswers
    let old = top
    if phase == .ready, let old, !window.screens.contains(where: { $0.id == old.id }) { keepUnsentText(of: old) }
    self.window = window
    notes.note(window)
    let ids = Set(window.screens.map(\.id))
    views = views.filter { ids.contains($0.key) }
    for screen in window.screens { views[screen.id]?.update(to: screen) }
    if let top = window.top {
      if views[top.id] == nil { views[top.id] = ScreenView(top) }
      // A covered screen must not keep its secrets.
      for id in ids where id != top.id { views[id]?.forgetSecrets() }
    }
    reviewQuestion()
    if case .outdated(let revision) = phase, window.revision > revision { phase = .ready }
    settle()
  }

  mutating func takeHeld() {
    guard let window = held.take() else { return }
    take(window)
  }

  /// Once the resulting window has arrived, discards the sent values of the fields.
  private mutating func settle() {
    guard case .settling(let revision) = phase, let window, window.revision >= revision else { return }
    phase = .ready
    if let asked { views[asked.screen]?.sent() }
  }

  mutating func change(_ id: UInt64, _ body: (inout PresentedScreen) -> Void) {
    held?.change(id, body)
    window?.change(id, body)
    if let screen = window?.screens.first(where: { $0.id == id }) { views[id]?.update(to: screen) }
  }

  /// Handles an outdated answer: waits for the next window, unless it has arrived already.
  private mutating func outdated(_ notice: DisplayNotice) {
    self.notice = notice
    guard let window, let asked, window.revision <= asked.revision else { return }
    phase = .outdated(revision: asked.revision)
  }
}

extension MirroredWindow {
  fileprivate mutating func change(_ id: UInt64, _ body: (inout PresentedScreen) -> Void) {
    guard let index = screens.firstIndex(where: { $0.id == id }) else { return }
    body(&screens[index])
  }
}

/// The other people who have the flow open.
extension Display {
  mutating func take(_ participants: [Participant]) {
    let come = company.take(participants)
    guard let name = come.first, phase != .over else { return }
    notice = notice ?? DisplayNotice(.info, Company.joined(name))
  }

  /// Adopts the draft of another renderer, and records who typed it.
  mutating func takeDraft(_ draft: [String: JSONValue], on screen: UInt64) {
    let before = window?.screens.first { $0.id == screen }?.draft ?? [:]
    change(screen) { $0.draft = draft }
    views[screen]?.noteDraft(instead: before, by: typist)
  }

  /// Keeps the text typed on a screen that is gone, except for secrets, and shows that it was not sent.
  mutating func keepUnsentText(of old: PresentedScreen) {
    guard let view = views[old.id], view.isTouched else { return }
    let news = notice?.text ?? Text("The previous screen is gone.").string
    guard let text = UnsentText(view.form.ownDraft, of: view.form.fields.map(\.field)) else {
      notice = DisplayNotice(.warning, Text("{news} What was typed here has not been sent.", ["news": news]).string)
      return
    }
    unsent.append(text)
    notice = DisplayNotice(.warning, Text("{news} {unsent}", ["news": news, "unsent": text.sentence]).string)
  }

  /// The lines about unsent texts, for the end of the session. None at a kiosk, where the next person would read them.
  var unsentLines: [String] { policy == .none ? unsent.flatMap(\.lines) : [] }

  /// Draws the other people at the right of a row, and schedules the next change.
  mutating func drawCompany(into frame: inout Frame, row: Int, _ area: Area) {
    guard let now, let sentence = company.sentence(at: now) else { return }
    let text = sentence.truncated(to: area.columns, ellipsis: symbols.ellipsis)
    frame.write(Line(text, .quiet), column: area.lastColumn - text.columns + 1, row: row, within: area)
    if let change = company.nextChange(after: now) { frame.nextChange = min(frame.nextChange ?? change, change) }
  }
}

/// Continues the flow on a phone.
extension Display {
  /// Whether the flow may be continued on a phone. Not at a locked kiosk, whose users must not take the flow along.
  var isReachable: Bool { !policy.isLocked }

  /// Shows the code, and starts the server if there is none yet.
  mutating func showPhone() -> [Effect] {
    guard phase != .over, isReachable else { return [] }
    phone.isShown = true
    phone.scroll = Scroll()
    switch phone.state {
    case .starting, .ready: return []
    case .none, .failed:
      phone.state = .starting
      return [.startPhone]
    }
  }

  mutating func take(_ news: Phone.News) {
    switch news {
    case .ended(let lines): phone.state = .failed(lines)
    case .link(let link):
      phone.state = .ready(link)
      guard link.occasion == .use else { return }
      phone.isShown = false
      notice = DisplayNotice(.info, Text("This flow is open on another device now.").string)
    }
  }

  /// Handles a key while the code is shown: scrolls, or hides it.
  mutating func pressOverPhone(_ key: Key) {
    switch key {
    case .down, .wheelDown: phone.scroll.move(by: 1)
    case .up, .wheelUp: phone.scroll.move(by: -1)
    case .pageDown: phone.scroll.move(by: phone.scroll.page)
    case .pageUp: phone.scroll.move(by: -phone.scroll.page)
    default: phone.isShown = false
    }
  }
}

/// A one-line notice below the screen.
struct DisplayNotice: Sendable, Hashable {
  var level: ScreenMessage.Level
  var text: String

  init(_ level: ScreenMessage.Level, _ text: Text) { self.init(level, text.string) }

  @_disfavoredOverload
  init(_ level: ScreenMessage.Level, _ text: String) {
    self.level = level
    self.text = text
  }
}

/// A question on top of all screens, which the user answers with yes or no before an event is sent.
struct ConfirmationQuestion: Sendable, Hashable {
  /// The action to take if the user agrees.
  enum Matter: Sendable, Hashable {
    /// Go back, which ends the flow, or may end it.
    case leaving
    /// Delegate an event whose author requires a confirmation.
    case delegation(Delegation, Confirmation)
  }

  /// The event of the confirming choice.
  static let agreement = "agree"

  let matter: Matter
  /// The question as a screen. Its id is that of the screen in question.
  var view: ScreenView

  /// Creates the question before an action is sent. The harmless choice has the focus if the action destroys something.
  init(_ confirmation: Confirmation, before delegation: Delegation, on top: PresentedScreen) {
    let agree = Action(Self.agreement, verbatim: confirmation.action.title, role: confirmation.action.role)
    let screen = Screen(
      "confirm", kind: .message, title: confirmation.action.title, body: confirmation.question,
      actions: [agree, .cancel("cancel", Text(verbatim: Confirmation.cancelTitle))])
    matter = .delegation(delegation, confirmation)
    view = Self.view(screen, on: top)
  }

  /// Creates the question before the flow ends. The harmless choice has the focus.
  init(leavingBy step: LeavingStep, _ text: String, on top: PresentedScreen) {
    let agree = Action(Self.agreement, step == .end ? Text("End it") : Text("Go back"), role: .destructive)
    let screen = Screen(
      "end-flow", kind: .message, title: text,
      body: Text("To leave it as it is and come back later, press q.").string,
      actions: [.primary("stay", "Stay"), agree])
    matter = .leaving
    view = Self.view(screen, on: top)
  }

  private static func view(_ screen: Screen, on top: PresentedScreen) -> ScreenView {
    ScreenView(
      PresentedScreen(id: top.id, coordinator: top.coordinator, style: .modal, layer: top.layer + 1, back: true, screen: screen))
  }

  /// Returns the hints for the keys that answer the question.
  func hints(for step: LeavingStep) -> [Hint] {
    switch matter {
    case .leaving:
      [
        Hint(YesOrNo.key, step == .end ? Text("end", context: "key") : Text("go back", context: "key"), rank: 0),
        Hint("Esc", Text("stay", context: "key"), rank: 1), Hint("q", Text("leave", context: "key"), rank: 4),
      ]
    case .delegation:
      [
        Hint(YesOrNo.key, Text("yes", context: "key"), rank: 0),
        Hint("Esc", Text("cancel", context: "key"), rank: 1), Hint("q", Text("leave", context: "key"), rank: 4),
      ]
    }
  }

  /// Returns whether the question still describes the effect.
  func applies(to top: PresentedScreen?, leavingBy step: LeavingStep) -> Bool {
    guard let top, top.id == view.presented.id else { return false }
    return switch matter {
    case .leaving: step.question == view.screen.title
    case .delegation(_, let confirmation): confirmation.applies(to: top.screen)
    }
  }
}
