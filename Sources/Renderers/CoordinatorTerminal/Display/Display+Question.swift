import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Asks before an event is sent that cannot be undone.
extension Display {
  /// The effect of going back now.
  var leavingStep: LeavingStep { window.map(LeavingStep.init(in:)) ?? .none }

  /// Goes back, after a question if data or other users are at stake.
  mutating func back(from top: PresentedScreen) -> [Effect] {
    guard top.back else {
      notice = Notice(.info, Text("There is no way back from this screen."))
      return []
    }
    guard leavingStep.question != nil else { return call(on: top) ? [.back(screen: top.id)] : [] }
    return leave(from: top, others: nil)
  }

  /// Adopts the number of other renderers, which is nil if it is not known.
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
      question = Question(leavingBy: leavingStep, text, on: top)
      return []
    case .countOthers:
      phase = .counting
      asked = (top.id, window.revision)
      return [.countOthers]
    case .goBack: return call(on: top) ? [.back(screen: top.id)] : []
    }
  }

  /// Handles a key while a question is open.
  mutating func answer(_ key: Key, to asked: Question) -> [Effect] {
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
    case .delegate(Question.agreement, _): return agree(to: asked)
    case .back, .delegate: question = nil
    case .edited, .moved, .blocked, .rejected, nil: break
    }
    return []
  }

  /// Closes the question if it no longer describes the effect.
  mutating func reviewQuestion() {
    if question?.applies(to: top, leavingBy: leavingStep) == false { question = nil }
  }

  private mutating func agree(to asked: Question) -> [Effect] {
    question = nil
    guard let top else { return [] }
    switch asked.matter {
    case .leaving: return call(on: top) ? [.back(screen: top.id)] : []
    case .delegation(let delegation, _): return send(delegation, on: top)
    }
  }
}
