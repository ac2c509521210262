import Languages

/// A one-line notice on a page. It is part of the page's URL, so that it survives a reload.
public enum PageNotice: Sendable, Hashable {
  /// Another renderer answered first; of this kind, if known.
  case answeredElsewhere(kind: Kind?)
  /// The screen was updated after its user looked at it.
  case changed
  /// The page was already used for another answer.
  case answeredBefore
  /// The daemon was away when the answer was sent.
  case undelivered
  /// The flow went back part of the way, but not all of it.
  case heldBack

  /// The kinds of renderers with a name for users.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case terminal, window, web, script
  }

  private static let elsewhere = "answered-elsewhere"

  /// Decodes a notice from its ``code``.
  ///
  /// - Parameter code: code in a page's URL.
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

  /// The code of the notice in a URL.
  public var code: String {
    switch self {
    case .answeredElsewhere(let kind): kind.map { "answered-\($0.rawValue)" } ?? Self.elsewhere
    case .changed: "changed"
    case .answeredBefore: "answered-before"
    case .undelivered: "undelivered"
    case .heldBack: "held-back"
    }
  }

  /// The text of the notice.
  public var text: String {
    switch self {
    case .answeredElsewhere(let kind): Self.answered(kind).string
    case .changed: Text("This page has changed since you looked at it. Please check it and send it again.").string
    case .answeredBefore: Text("You have already answered this. Here is where the flow is now.").string
    case .undelivered: Text("There was no connection when you sent this. Please send it again.").string
    case .heldBack: Text("The flow does not allow going back any further.").string
    }
  }

  private static func answered(_ kind: Kind?) -> Text {
    switch kind {
    case .terminal: "This was answered in the terminal. Here is where the flow is now."
    case .window: "This was answered in the window. Here is where the flow is now."
    case .web: "This was answered in another browser. Here is where the flow is now."
    case .script: "This was answered by a script. Here is where the flow is now."
    case nil: "This was answered elsewhere. Here is where the flow is now."
    }
  }
}
