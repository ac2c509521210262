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
    case .rejected(let count): notice = Notice(.error, FormReasons.summary(of: count))
    case .blocked(let reason): notice = Notice(.info, reason.printable)
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
    if phase == .ready, !isAway { question = Question(confirmation, before: delegation, on: top) }
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
