/// The steps of a renderer trial in order, each with one screen.
public enum TrialStep: String, Codable, Sendable, Hashable, CaseIterable {
  case message, menu, list
  case longList = "long-list"
  case emptyList = "empty-list"
  case form, wrong, draft, typing, secret, messages, busy, replaced, answered, modal, locked, restart, end

  /// A description of what the step tests.
  public var title: String {
    switch self {
    case .message: "a message"
    case .menu: "a menu"
    case .list: "a list"
    case .longList: "a long list"
    case .emptyList: "an empty list"
    case .form: "a form with every kind of field"
    case .wrong: "an answer that is refused"
    case .draft: "what was typed elsewhere"
    case .typing: "an update while the user types"
    case .secret: "a secret"
    case .messages: "messages on a screen"
    case .busy: "progress"
    case .replaced: "a screen that another renderer answers"
    case .answered: "the notice of who answered"
    case .modal: "a modal layer, and going back"
    case .locked: "a screen without a way back"
    case .restart: "a daemon that is killed, and comes back"
    case .end: "the end"
    }
  }

  /// The step after this one; nil after the last.
  public var next: TrialStep? {
    let all = Self.allCases
    guard let index = all.firstIndex(of: self), index + 1 < all.endIndex else { return nil }
    return all[index + 1]
  }
}
