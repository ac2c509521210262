/// What a keeper has for people. The sequence number grows whenever it changes.
enum Visible: Sendable, Hashable {
  case working
  case asking(QuestionID)
  case ended(ProgramEnding)

  /// The state as the control protocol has it.
  var name: String {
    switch self {
    case .working: "working"
    case .asking: "asking"
    case .ended: "ended"
    }
  }
}
