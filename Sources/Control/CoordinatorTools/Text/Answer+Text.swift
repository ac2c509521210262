import CoordinatorBus

extension Answer {
  /// One line for people who look at the same flow elsewhere: "Answered in the browser."
  public var sentence: String {
    switch kind {
    case "": "Answered elsewhere."
    case "terminal": "Answered in the terminal."
    case "web": "Answered in the browser."
    default: "Answered in \(kind.printable)."
    }
  }
}
