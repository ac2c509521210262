/// The steps of a renderer trial in order, each with one screen.
public enum TrialStep: String, Codable, Sendable, Hashable, CaseIterable {
  case message, menu, list
  case longList = "long-list"
  case emptyList = "empty-list"
  case form, wrong, draft, typing, secret, messages, busy, replaced, answered, modal, locked
  case suggested, defaulted, several, preselected
  case disabledItem = "disabled-item"
  case disabledAction = "disabled-action"
  case confirmed
  case toReview = "to-review"
  case review, restart, end

  /// A description of the test in this step.
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
    case .suggested: "a menu with a choice that is suggested"
    case .defaulted: "a menu whose default is not its first choice"
    case .several: "a list from which several can be chosen"
    case .preselected: "a list with an item that is chosen at first"
    case .disabledItem: "an item that cannot be chosen now"
    case .disabledAction: "an action that cannot be chosen now"
    case .confirmed: "an action that asks first"
    case .toReview: "an answer that is reviewed afterwards"
    case .review: "answers under review"
    case .restart: "a daemon that is killed, and comes back"
    case .end: "the end"
    }
  }

  /// The feature of the daemon that the step tests, by its name in the property `Features`; nil for a feature of every daemon.
  public var feature: String? {
    switch self {
    case .suggested: "suggestions"
    case .defaulted: "defaults"
    case .several, .preselected, .disabledItem: "choosing"
    case .disabledAction, .confirmed: "confirm"
    case .toReview, .review: "review"
    default: nil
    }
  }

  /// The kind of the step's screen, by its name in the contract; nil for a message, which each renderer can show.
  public var kind: String? {
    switch self {
    case .menu, .replaced, .answered, .suggested, .defaulted, .disabledAction: "menu"
    case .list, .longList, .emptyList, .several, .preselected, .disabledItem: "list"
    case .form, .wrong, .draft, .typing, .secret, .toReview: "form"
    case .busy: "progress"
    case .message, .messages, .modal, .locked, .confirmed, .review, .restart, .end: nil
    }
  }

  /// The step whose answer this one is about; nil if it does not need another one.
  private var need: TrialStep? {
    switch self {
    case .answered: .replaced
    case .modal: .answered
    case .review: .toReview
    default: nil
    }
  }

  /// The kinds of screens and the features that can be left out of a trial.
  public static var features: [String] {
    (allCases.compactMap(\.kind) + allCases.compactMap(\.feature)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the steps of a trial, in order.
  ///
  /// - Parameters:
  ///   - first: the step to begin with; nil for the first.
  ///   - features: the kinds of screens and the features to leave out.
  /// - Returns: the steps. A step that needs the one before it brings that step along, and is left out with it.
  public static func steps(from first: TrialStep? = nil, without features: [String] = []) -> [TrialStep] {
    func isLeftOut(_ step: TrialStep) -> Bool {
      [step.kind, step.feature].contains { $0.map(features.contains) ?? false } || step.need.map(isLeftOut) ?? false
    }
    let first: TrialStep =
      switch first {
      case .modal: .answered
      case .review: .toReview
      default: first ?? .message
      }
    return allCases.drop { $0 != first }.filter { !isLeftOut($0) }
  }
}
