/// The text that a process keeps in the daemon for each coordinator of a flow that it serves: everything that the daemon
/// does not tell with each question.
struct ServedText<State: Codable, Route: Codable, Work: Codable, Timer: Codable>: Codable {
  struct Screen: Codable {
    var n: UInt64
    var r: Route
  }

  struct Work_: Codable {
    var n: UInt64
    var w: Work
    var k: WorkKey?
    /// Whether it took secrets.
    var x: Bool?
  }

  struct Timer_: Codable {
    var t: Timer
    var d: UInt64
  }

  /// The question whose answer has this text. Distinguishes answers that are alike otherwise.
  var turn: UInt64
  var state: State
  var screens: [Screen]?
  var work: [Work_]?
  var lastWork: UInt64?
  var timers: [Timer_]?
  var lastChild: UInt64?
  /// The input, if a migration has changed it.
  var input: [String: JSONValue]?

  enum CodingKeys: String, CodingKey {
    case turn = "n"
    case state = "s"
    case screens = "r"
    case work = "w"
    case lastWork = "l"
    case timers = "t"
    case lastChild = "c"
    case input = "i"
  }
}

/// A text that a version of a flow has written.
struct VersionedText {
  let version: Int
  let text: String

  init(version: Int, _ text: String) { (self.version, self.text) = (version, text) }

  /// Reads a text as it is kept.
  init(_ kept: String) throws(ProviderTrouble) {
    guard let colon = kept.utf8.firstIndex(of: UInt8(ascii: ":")), let version = Int(kept[..<colon]) else {
      throw .failed("the state was not written by the library CoordinatorProvider")
    }
    self.init(version: version, String(kept[kept.utf8.index(after: colon)...]))
  }

  /// The text as it is kept.
  var kept: String { "\(version):\(text)" }
}
