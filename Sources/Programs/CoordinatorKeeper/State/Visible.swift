/// The state of a keeper that users see. The sequence number increases whenever it changes.
enum Visible: Sendable, Hashable {
  case working
  case asking(QuestionID)
  case ended(ProgramEnding)

  /// The name of the state in the control protocol.
  var name: String {
    switch self {
    case .working: "working"
    case .asking: "asking"
    case .ended: "ended"
    }
  }
}
