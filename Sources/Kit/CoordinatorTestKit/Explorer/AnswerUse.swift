import CoordinatorKit

/// Which of the answers given by a test are useful.
struct AnswerUse {
  private let answers: [String: [[String: JSONValue]]]
  /// By screen: the reasons why each of its answers does not fit; empty once the answer has fitted.
  private var misfits: [String: [[String: String]]] = [:]

  /// Creates a record without observations.
  init(_ answers: [String: [[String: JSONValue]]]) { self.answers = answers }

  /// Checks the answers for a screen that is on top.
  mutating func note(_ screen: Screen) {
    guard let given = answers[screen.name], let form = screen.form else { return }
    let reasons = given.map { form.schema.check($0) }
    misfits[screen.name] = misfits[screen.name].map { zip($0, reasons).map { $0.isEmpty ? $0 : $1 } } ?? reasons
  }

  /// Reports the answers that were never useful.
  func report(to walk: inout FlowWalk) {
    for screen in answers.keys.sorted() {
      guard let misfits = misfits[screen] else {
        walk.note(.neverComesUp(screen, in: .answers))
        continue
      }
      for reasons in misfits where !reasons.isEmpty { walk.note(.answerDoesNotFit(screen: screen, reasons)) }
    }
  }
}
