import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Input from the keyboard.
extension Display {
  mutating func take(_ key: Key) -> [Effect] {
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

  private mutating func back(from top: PresentedScreen) -> [Effect] {
    guard top.back else {
      notice = Notice(.info, "There is no way back from this screen.")
      return []
    }
    guard let text = leavingStep.question else { return call(on: top) ? [.back(screen: top.id)] : [] }
    if phase == .ready, !isAway { ask(text, on: top) }
    return []
  }

  private mutating func delegate(_ event: String, _ payload: [String: JSONValue], on top: PresentedScreen) -> [Effect] {
    guard call(on: top) else { return [] }
    views[top.id]?.forgetSecrets()
    let delegation = Delegation(
      coordinator: top.coordinator, screen: top.id, event: event, payload: payload, seen: window?.revision ?? 0)
    return [.delegate(delegation)]
  }

  /// Starts a call if none is pending and the daemon is present; returns whether it did.
  mutating func call(on top: PresentedScreen) -> Bool {
    guard phase == .ready, !isAway else { return false }
    phase = .calling
    asked = (top.id, window?.revision ?? 0)
    return true
  }
}
