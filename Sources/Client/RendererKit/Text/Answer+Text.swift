import CoordinatorBus

extension Answer {
  /// A sentence for users of other renderers of the same flow: "Answered in the browser."
  public var sentence: String {
    switch kind {
    case "": "Answered elsewhere."
    case "terminal": "Answered in the terminal."
    case "web": "Answered in the browser."
    default: "Answered in \(kind.printable)."
    }
  }
}
