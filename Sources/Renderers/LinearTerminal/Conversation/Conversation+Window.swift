import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// Input from the daemon.
extension Conversation {
  mutating func take(_ event: WindowEvent) -> [Effect] {
    switch event {
    case .window(let window): return take(window)
    case .progress(let screen, let progress): return take(progress, on: screen)
    case .answered(let answer):
      news = answer.sentence(inKind: "terminal")
      return []
    case .drafted(let screen, let values): return take(values, on: screen)
    case .typing: return []
    case .participants(let participants): return take(participants)
    case .language(let language):
      window?.language = language
      return []
    case .daemonLost:
      let effects =
        withdrawal(for: nil) + [.print(["", ConnectionNews.lost])]
      phase = .away
      return effects
    case .daemonBack:
      guard phase == .away else { return [] }
      return [.print([ConnectionNews.back])] + ask()
    case .ended(let end):
      let effects = withdrawal(for: nil) + [.print([""] + notes.summary(of: end).lines), .leave(end.exitCode)]
      phase = .over
      return effects
    }
  }

  mutating func accepted(_ revision: UInt64) -> [Effect] {
    guard phase == .calling else { return [] }
    draft = nil
    guard let window, window.revision >= revision else {
      phase = .settling(revision: revision)
      return []
    }
    guard isUpToDate else { return show() }
    return [.print([Text("Nothing has changed.").string])] + ask()
  }

  mutating func refused(_ error: ClientError) -> [Effect] {
    guard phase == .calling else { return [] }
    switch error {
    case .refused(.invalidPayload(_, let reasons)):
      guard var corrected = draft else { return complain(error) }
      let others = FormReasons(corrected.reject(reasons), of: []).otherSentences
      draft = corrected
      let count = corrected.reasons.count
      let summary = count > 1 ? [FormReasons.summary(of: count)] : []
      let lines = summary + others.map { renderer.line(for: .error, $0) }
      return (lines.isEmpty ? [] : [.print(lines)]) + ask()
    case .refused(.staleScreen(_, .changed)): return outdated(Text("This screen has changed in the meantime.").string)
    case .refused(.staleScreen), .refused(.unknownScreen): return outdated(Self.answeredElsewhere)
    case .refused(.flowFailed): return outdated(renderer.line(for: .error, error.sentence))
    case _ where error.isUnknownObject: return outdated(Self.answeredElsewhere)
    default: return complain(error)
    }
  }

  private mutating func take(_ window: MirroredWindow) -> [Effect] {
    let window = window.withoutClosedAnswers
    self.window = window
    notes.note(window)
    defer { news = nil }
    switch phase {
    case .listening: return takeChanges(to: window.top) ?? show()
    case .askingChoice, .askingField, .checking:
      guard !isUpToDate else { return [] }
      if let effects = takeChanges(to: window.top) { return effects }
      let lines = newsLines
      return withdrawal(for: window.top) + lines + show()
    case .askingQuestion:
      // Other changes of the screen are reported after the answer, unless they make the question obsolete.
      guard !isQuestionValid else { return [] }
      let lines = newsLines
      return withdrawal(for: window.top) + lines + show()
    case .settling(let revision): return window.revision >= revision ? show() : []
    case .outdated(let revision): return window.revision > revision ? show() : []
    case .calling, .counting, .away, .over: return []
    }
  }

  private mutating func take(_ progress: CoordinatorKit.Progress, on id: UInt64) -> [Effect] {
    guard let index = window?.screens.firstIndex(where: { $0.id == id }) else { return [] }
    window?.screens[index].screen.progress = progress
    guard shown?.id == id, let screen = window?.screens[index].screen else { return [] }
    shown?.screen.progress = progress
    guard isInteractive, toldProgress?.isOutdated(by: progress, at: now) ?? true else { return [] }
    let line: Effect = .print([renderer.line(for: progress)])
    switch phase {
    case .listening:
      toldProgress = ToldProgress(progress, at: now)
      return [line]
    case .askingChoice:
      toldProgress = ToldProgress(progress, at: now)
      return [.interruptPrompt, line, .prompt(choicePrompt(for: screen))]
    default: return []
    }
  }

  /// The lines about another renderer's answer, and about input here that was not sent.
  private var newsLines: [Effect] {
    let isLost = draft?.isTouched == true && window?.top?.id != draft?.screen
    let unsent = draft.flatMap { UnsentText($0.unsent, of: $0.form.fields) }?.lines
    let lost = isLost ? unsent ?? [Text("Your answers on that screen were not sent.").string] : []
    let lines = (news.map { [$0] } ?? []) + lost
    return lines.isEmpty ? [] : [.print([""] + lines)]
  }

  private static var answeredElsewhere: String { Text("Someone else has answered this screen.").string }

  /// Offers the text that was typed in another renderer as the default of the fields that were not answered here.
  private mutating func take(_ values: [String: JSONValue], on screen: UInt64) -> [Effect] {
    guard let index = window?.screens.firstIndex(where: { $0.id == screen }) else { return [] }
    window?.screens[index].draft = values
    guard phase == .askingField || phase == .checking, var draft, draft.screen == screen, let top = window?.top else {
      return []
    }
    let offered = draft.currentDefault
    draft.refresh(values: top.screen.values, kept: values)
    self.draft = draft
    guard phase == .askingField, draft.currentDefault != offered else { return [] }
    return [.interruptPrompt] + askField(isAgain: true)
  }

  /// Withdraws the prompt for the next screen. If the same form continues, the line being typed is kept.
  private func withdrawal(for next: PresentedScreen?) -> [Effect] {
    switch phase {
    case .askingField where next?.id == draft?.screen && next?.screen.form == draft?.form: [.interruptPrompt]
    case .askingChoice, .askingField, .checking, .askingQuestion: [.withdrawPrompt]
    default: []
    }
  }

  /// Whether the top screen equals the one printed last, except for its draft.
  var isUpToDate: Bool { window?.top?.withoutDraft == shown?.withoutDraft }

  /// Handles an outdated answer: shows the next window, which may have arrived already.
  private mutating func outdated(_ line: String) -> [Effect] {
    draft = nil
    let effects: [Effect] = [.print([line])]
    guard let window, isUpToDate else { return effects + show() }
    phase = .outdated(revision: window.revision)
    return effects
  }

  private mutating func complain(_ error: ClientError) -> [Effect] {
    draft?.startOver()
    return [.print([renderer.line(for: .error, error.sentence)])] + ask()
  }
}

extension PresentedScreen {
  /// The screen without its draft, whose changes are reported separately.
  fileprivate var withoutDraft: PresentedScreen {
    var screen = self
    screen.draft = [:]
    return screen
  }
}

/// The progress that was last printed, which determines whether newer progress is printed: a line is never redrawn, so only
/// significant progress is printed.
struct ToldProgress: Sendable, Hashable {
  /// The smallest increase of the fraction that is printed.
  private static let step = 0.1
  /// The shortest time between two lines, in microseconds.
  private static let pause: UInt64 = 5_000_000

  private let fraction: Double?
  private let text: String?
  private let time: Timestamp?

  /// Creates the progress.
  ///
  /// - Parameters:
  ///   - progress: progress that is printed.
  ///   - time: time at which it is printed; nil if unknown.
  init(_ progress: CoordinatorKit.Progress, at time: Timestamp?) {
    fraction = progress.fraction
    text = progress.text
    self.time = time
  }

  /// Returns whether progress is worth another line.
  ///
  /// - Parameters:
  ///   - progress: progress now.
  ///   - now: current time; nil if unknown.
  /// - Returns: whether to print the progress.
  func isOutdated(by progress: CoordinatorKit.Progress, at now: Timestamp?) -> Bool {
    if let time, let now, now.microseconds < time.microseconds &+ Self.pause { return false }
    guard progress.text == text else { return true }
    // Sums of tenths are not exact.
    return abs((progress.fraction ?? 0) - (fraction ?? 0)) > Self.step - 0.001
  }
}
