/// Something that a page says about itself, in one line. It stands in the page's address, so that it survives a reload.
public enum Notice: Sendable, Hashable {
  /// Another renderer was faster, of this kind if that is known.
  case answeredElsewhere(kind: Kind?)
  /// The screen was updated since its user looked at it.
  case changed
  /// The page was used before, for another answer.
  case answeredBefore
  /// The daemon was away when the answer was sent.
  case undelivered
  /// Some of the way back was gone, but not all.
  case heldBack

  /// The kinds of renderers that can be named.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case terminal, window, web, script

    var words: String {
      switch self {
      case .terminal: "in the terminal"
      case .window: "in the window"
      case .web: "in another browser"
      case .script: "by a script"
      }
    }
  }

  private static let elsewhere = "answered-elsewhere"

  /// Reads what ``code`` says.
  ///
  /// - Parameter code: The word in a page's address.
  public init?(code: String) {
    switch code {
    case Self.elsewhere: self = .answeredElsewhere(kind: nil)
    case "changed": self = .changed
    case "answered-before": self = .answeredBefore
    case "undelivered": self = .undelivered
    case "held-back": self = .heldBack
    default:
      guard let kind = Kind.allCases.first(where: { "answered-\($0.rawValue)" == code }) else { return nil }
      self = .answeredElsewhere(kind: kind)
    }
  }

  /// The notice in a word.
  public var code: String {
    switch self {
    case .answeredElsewhere(let kind): kind.map { "answered-\($0.rawValue)" } ?? Self.elsewhere
    case .changed: "changed"
    case .answeredBefore: "answered-before"
    case .undelivered: "undelivered"
    case .heldBack: "held-back"
    }
  }

  /// What people read.
  public var text: String {
    switch self {
    case .answeredElsewhere(let kind): "This was answered \(kind?.words ?? "elsewhere"). Here is where the flow is now."
    case .changed: "This page has changed since you looked at it. Please check it and send it again."
    case .answeredBefore: "You have answered this before. Here is where the flow is now."
    case .undelivered: "coordinatord was not running when you sent this. Please send it again when it is."
    case .heldBack: "The flow does not let you go back further than here."
    }
  }
}
