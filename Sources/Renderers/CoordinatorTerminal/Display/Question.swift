import CoordinatorBus
import CoordinatorKit
import RendererKit

/// A question on top of all screens, which the user answers with yes or no before an event is sent.
struct Question: Sendable, Hashable {
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
