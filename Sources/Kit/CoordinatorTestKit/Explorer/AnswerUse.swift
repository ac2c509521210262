import CoordinatorKit

/// Which of the answers that a test gives are of use.
struct AnswerUse {
  private let answers: [String: [[String: JSONValue]]]
  /// By screen: what is wrong with each of its answers, nothing once it has fitted.
  private var misfits: [String: [[String: String]]] = [:]

  /// Nothing is known of them as yet.
  init(_ answers: [String: [[String: JSONValue]]]) { self.answers = answers }

  /// Notes a screen that is on top.
  mutating func note(_ screen: Screen) {
    guard let given = answers[screen.name], let form = screen.form else { return }
    let reasons = given.map { form.schema.check($0) }
    misfits[screen.name] = misfits[screen.name].map { zip($0, reasons).map { $0.isEmpty ? $0 : $1 } } ?? reasons
  }

  /// Says which of them were of no use.
  func report(to walk: inout FlowWalk) {
    for screen in answers.keys.sorted() {
      guard let misfits = misfits[screen] else {
        walk.note(.neverComesUp(screen))
        continue
      }
      for reasons in misfits where !reasons.isEmpty { walk.note(.answerDoesNotFit(screen: screen, reasons)) }
    }
  }
}
