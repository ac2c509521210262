import CoordinatorKit

/// Reviews a decision beyond the checks of the daemon's decoder. A value that decides.
struct AnswerReview {
  /// A mistake in a decision.
  struct Fault: Sendable, Hashable {
    let check: Check
    let text: String
  }

  private let question: Question
  private let decision: FlowDecision
  private var screens: [String]
  private var secrets: Set<String>
  /// The mistakes.
  private(set) var faults: [Fault] = []

  /// The valid range of times, in microseconds since 1970. Times before the year 2001 or after 9999 are probably in another
  /// unit.
  private static let times = UInt64(978_307_200_000_000)...UInt64(253_402_300_800_000_000)

  init(_ decision: FlowDecision, to question: Question) {
    (self.question, self.decision) = (question, decision)
    screens = question.screens
    secrets = question.secrets
    let before = Set(screens)
    if question.kind == "back", let key = question.event["key"]?.string { screens.removeAll { $0 == key } }
    for operation in decision.operations { review(operation) }
    for key in screens where !before.contains(key) && decision.screens[key] == nil {
      note(.screenIsDescribed, "it presents the screen '\(key)', which it has not described")
    }
  }

  private mutating func review(_ operation: FlowDecision.Operation) {
    switch operation {
    case .present(let key, _, _): screens.append(key)
    case .replace(let key, _):
      if screens.isEmpty { note(.answerIsPossible, "it replaces a screen by '\(key)', but shows none") }
      screens = screens.dropLast() + [key]
    case .dismiss(let key, _):
      guard let index = screens.lastIndex(of: key) else {
        return note(.answerIsPossible, "it dismisses the screen '\(key)', which is not shown")
      }
      screens.removeSubrange(index...)
    case .dismissAbove(let key, _):
      guard let index = screens.lastIndex(of: key) else {
        return note(.answerIsPossible, "it dismisses what is above the screen '\(key)', which is not shown")
      }
      screens.removeSubrange((index + 1)...)
    case .startTimer(let key, let at, _):
      if !Self.times.contains(at.microseconds) {
        note(.timeIsReal, "the timer '\(key)' goes off at \(at.microseconds), which is no plausible time")
      }
    case .keepSecrets(let names): secrets.formUnion(names.keys)
    case .startWork(let work, let names, _):
      let sources = names.values.map { $0.hasPrefix(FlowDecision.keptPrefix) ? String($0.dropFirst(5)) : $0 }
      for name in sources.sorted() where !secrets.contains(name) {
        note(.namesHeldSecrets, "the work '\(work.id)' takes the secret '\(name)', which there is not")
      }
    default: break
    }
  }

  private mutating func note(_ check: Check, _ text: String) { faults.append(Fault(check: check, text: text)) }
}
