import CoordinatorKit

/// One of the four steps of ``HowToCode``.
enum Step: Int, Codable, CaseIterable {
  case wakeUp = 1
  case goOut, write, ship

  var title: Text {
    switch self {
    case .wakeUp: "I wake up"
    case .goOut: "I go out"
    case .write: "500 lines"
    case .ship: "Ship it!"
    }
  }

  var accent: String {
    switch self {
    case .wakeUp: "#F5001C"
    case .goOut: "#ED8212"
    case .write: "#3BB821"
    case .ship: "#2E4ACC"
    }
  }

  var next: Step? { Step(rawValue: rawValue + 1) }
}
