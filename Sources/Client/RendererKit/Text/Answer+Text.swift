import CoordinatorBus
import Languages

extension Answer {
  /// A sentence for users of other renderers of the same flow: "Answered in the browser."
  public var sentence: String {
    switch kind {
    case "": Text("Answered elsewhere.").string
    case "terminal": Text("Answered in the terminal.").string
    case "web": Text("Answered in the browser.").string
    default: Text("Answered in {place}.", ["place": kind.printable]).string
    }
  }
}
