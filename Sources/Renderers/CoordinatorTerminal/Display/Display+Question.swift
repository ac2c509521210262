import CoordinatorBus
import CoordinatorKit
import RendererKit

/// The confirmation before the whole flow ends, or may end. Others may have it open, and it cannot be undone.
extension Display {
  /// The effect of going back now.
  var leavingStep: LeavingStep { window.map(LeavingStep.init(in:)) ?? .none }

  /// Opens the confirmation as a screen on top of all others. The harmless action has the focus.
  mutating func ask(_ text: String, on top: PresentedScreen) {
    let end = Action("end", leavingStep == .end ? "End it" : "Go back", role: .destructive)
    let screen = Screen(
      "end-flow", kind: .message, title: text, body: "To leave it as it is and come back later, press q.",
      actions: [.primary("stay", "Stay"), end])
    question = ScreenView(
      PresentedScreen(id: top.id, coordinator: top.coordinator, style: .modal, layer: top.layer + 1, back: true, screen: screen))
  }

  /// Handles a key while the confirmation is open.
  mutating func answer(_ key: Key, to asked: ScreenView) -> [Effect] {
    var asked = asked
    switch key {
    case .character("y"), .character("Y"): return endFlow()
    case .character("n"), .character("N"):
      question = nil
      return []
    default: break
    }
    let intent: Intent? =
      if case .click(let position) = key { frame.target(at: position).flatMap { asked.click($0) } } else { asked.handle(key) }
    question = asked
    switch intent {
    case .leave: return leave(.success)
    case .help: isHelping = true
    case .delegate("end", _): return endFlow()
    case .back, .delegate: question = nil
    case .edited, .moved, nil: break
    }
    return []
  }

  /// Closes the confirmation if it no longer describes the effect of going back.
  mutating func reviewQuestion() {
    guard let asked = question else { return }
    if top?.id != asked.presented.id || leavingStep.question != asked.screen.title { question = nil }
  }

  private mutating func endFlow() -> [Effect] {
    question = nil
    guard let top, call(on: top) else { return [] }
    return [.back(screen: top.id)]
  }
}
