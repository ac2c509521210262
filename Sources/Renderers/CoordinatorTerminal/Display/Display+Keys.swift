import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Input from the keyboard.
extension Display {
  mutating func take(_ key: Key) -> [Effect] {
    if phone.isShown {
      pressOverPhone(key)
      return []
    }
    if key == .phone { return showPhone() }
    if isHelping { return pressInHelp(key) }
    notice = nil
    if let question { return answer(key, to: question) }
    guard let top, var view = views[top.id] else { return pressWithoutScreen(key) }
    let before = view.draft
    let intent: Intent? =
      if case .click(let position) = key {
        frame.target(at: position).flatMap { view.click($0) }
      } else {
        view.handle(key)
      }
    views[top.id] = view
    switch intent {
    case .leave: return leave(.success)
    case .help: isHelping = true
    case .back: return back(from: top)
    case .delegate(let event, let payload): return delegate(event, payload, on: top)
    case .rejected(let count): notice = DisplayNotice(.error, FormReasons.summary(of: count))
    case .blocked(let reason): notice = DisplayNotice(.info, reason.printable)
    case .edited where view.draft != before: return [.saveDraft(screen: top.id, view.draft)]
    case .edited, .moved, nil: break
    }
    return []
  }

  private mutating func pressInHelp(_ key: Key) -> [Effect] {
    switch key {
    case .down, .wheelDown: helpScroll.move(by: 1)
    case .up, .wheelUp: helpScroll.move(by: -1)
    case .pageDown: helpScroll.move(by: helpScroll.page)
    case .pageUp: helpScroll.move(by: -helpScroll.page)
    default:
      isHelping = false
      helpScroll = Scroll()
    }
    return []
  }

  private mutating func pressWithoutScreen(_ key: Key) -> [Effect] {
    switch key {
    case .character("q"): return leave(.success)
    case .help, .character("?"): isHelping = true
    default: break
    }
    return []
  }

  private mutating func delegate(_ event: String, _ payload: [String: JSONValue], on top: PresentedScreen) -> [Effect] {
    let delegation = Delegation(
      coordinator: top.coordinator, screen: top.id, event: event, payload: payload, seen: window?.revision ?? 0)
    let action = top.screen.actions.first { $0.id == event }
    guard let confirmation = action.flatMap(Confirmation.init(of:)) else { return send(delegation, on: top) }
    if phase == .ready, !isAway { question = ConfirmationQuestion(confirmation, before: delegation, on: top) }
    return []
  }

  /// Delegates an event that the user has decided on.
  mutating func send(_ delegation: Delegation, on top: PresentedScreen) -> [Effect] {
    guard call(on: top, seen: delegation.seen) else { return [] }
    views[top.id]?.forgetSecrets()
    return [.delegate(delegation)]
  }

  /// Starts a call if none is pending and the daemon is present.
  ///
  /// - Parameters:
  ///   - top: screen that the call is about.
  ///   - seen: revision that the user has decided on; nil for the current one.
  /// - Returns: whether the call is to be made.
  mutating func call(on top: PresentedScreen, seen: UInt64? = nil) -> Bool {
    guard phase == .ready, !isAway else { return false }
    phase = .calling
    asked = (top.id, seen ?? window?.revision ?? 0)
    return true
  }
}

/// Asks before an event is sent that cannot be undone.
extension Display {
  /// The effect of going back now.
  var leavingStep: LeavingStep { window.map(LeavingStep.init(in:)) ?? .none }

  /// Goes back, after a question if data or other users are at stake.
  mutating func back(from top: PresentedScreen) -> [Effect] {
    guard top.back else {
      notice = DisplayNotice(.info, Text("There is no way back from this screen."))
      return []
    }
    guard leavingStep.question != nil else { return call(on: top) ? [.back(screen: top.id)] : [] }
    return leave(from: top, others: nil)
  }

  /// Adopts the number of other renderers; nil if unknown.
  mutating func counted(_ others: Int?) -> [Effect] {
    guard phase == .counting else { return [] }
    phase = .ready
    takeHeld()
    // Meanwhile, another client may have answered the screen.
    guard let top, top.id == asked?.screen, leavingStep.question != nil else { return [] }
    return leave(from: top, others: others ?? .max)
  }

  private mutating func leave(from top: PresentedScreen, others: Int?) -> [Effect] {
    guard phase == .ready, !isAway, let window, let text = leavingStep.question else { return [] }
    let isTyped = views.values.contains(where: \.isTouched)
    switch LeavingStakes(in: window, isTyped: isTyped, others: others).decision {
    case .ask:
      question = ConfirmationQuestion(leavingBy: leavingStep, text, on: top)
      return []
    case .countOthers:
      phase = .counting
      asked = (top.id, window.revision)
      return [.countOthers]
    case .goBack: return call(on: top) ? [.back(screen: top.id)] : []
    }
  }

  /// Handles a key while a question is open.
  mutating func answer(_ key: Key, to asked: ConfirmationQuestion) -> [Effect] {
    var asked = asked
    switch key {
    case .character(let letter) where YesOrNo.value(of: String(letter)) == true: return agree(to: asked)
    case .character(let letter) where YesOrNo.value(of: String(letter)) == false:
      question = nil
      return []
    default: break
    }
    let intent: Intent? =
      if case .click(let position) = key {
        frame.target(at: position).flatMap { asked.view.click($0) }
      } else {
        asked.view.handle(key)
      }
    question = asked
    switch intent {
    case .leave: return leave(.success)
    case .help: isHelping = true
    case .delegate(ConfirmationQuestion.agreement, _): return agree(to: asked)
    case .back, .delegate: question = nil
    case .edited, .moved, .blocked, .rejected, nil: break
    }
    return []
  }

  /// Closes the question if it no longer describes the effect.
  mutating func reviewQuestion() {
    if question?.applies(to: top, leavingBy: leavingStep) == false { question = nil }
  }

  private mutating func agree(to asked: ConfirmationQuestion) -> [Effect] {
    question = nil
    guard let top else { return [] }
    switch asked.matter {
    case .leaving: return call(on: top) ? [.back(screen: top.id)] : []
    case .delegation(let delegation, _): return send(delegation, on: top)
    }
  }
}
