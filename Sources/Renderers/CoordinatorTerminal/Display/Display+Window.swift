import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
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
      notice = Notice(.info, answer.sentence(inKind: "terminal"))
      company.stopTyping()
    case .daemonLost:
      isAway = true
      // No reply will arrive. The next window shows whether the call was accepted.
      phase = .ready
      takeHeld()
    case .daemonBack:
      isAway = false
      notice = Notice(.info, ConnectionNews.back)
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
        notice = Notice(.error, FormReasons(others, of: []).otherSentences.joined(separator: "; "))
      } else if let count = views[asked.screen]?.reasons.count, count > 1 {
        notice = Notice(.error, FormReasons.summary(of: count))
      }
    case .refused(.staleScreen(_, .changed)): outdated(Notice(.info, Text("This screen has changed in the meantime.")))
    case .refused(.staleScreen), .refused(.unknownScreen),
      _ where error.isUnknownObject:
      // A notice that names the other renderer takes precedence.
      outdated(notice ?? Notice(.info, Self.answeredElsewhere))
    case .refused(.flowFailed): outdated(Notice(.error, error.sentence))
    default: notice = Notice(.error, error.sentence)
    }
  }

  private mutating func take(_ window: MirroredWindow) {
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
  private mutating func outdated(_ notice: Notice) {
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
