import CoordinatorBus
import CoordinatorKit

/// The input on a screen, and its errors. Never contains a secret.
public struct Draft: Sendable, Hashable {
  /// The stage of a draft.
  public enum Stage: Sendable, Hashable {
    /// The draft is being filled in.
    case open
    /// The draft was sent, but the daemon was away.
    case undelivered
    /// The draft was accepted, and the resulting work is in progress.
    case sent
  }

  /// The id of the screen.
  public var screen: UInt64
  /// The typed text, by field, in the form that the controls use: several strings for a list.
  public var typed: [String: [String]]
  /// The checked rows on all pages of the list; nil if the screen has no rows to check.
  public var checked: CheckedRows?
  /// The id of the action whose question is open, because the action was sent without a confirmation.
  public var asking: String?
  /// The errors, by field.
  public var reasons: [String: String]
  /// The error of the answer as a whole.
  public var problem: String?
  /// The reason why sending failed. Shown once, because the next attempt may succeed.
  public var failure: String?
  /// The stage of the draft.
  public var stage = Stage.open
  /// The names of the secret fields that were filled in. Their values are not stored.
  public var filledSecrets: Set<String> = []

  /// Creates a draft for a screen.
  public init(
    screen: UInt64, typed: [String: [String]] = [:], reasons: [String: String] = [:], problem: String? = nil
  ) {
    self.screen = screen
    self.typed = typed
    self.reasons = reasons
    self.problem = problem
  }
}

extension Draft {
  /// Creates the draft of an answer that was sent.
  ///
  /// - Parameters:
  ///   - answer: submitted form.
  ///   - choice: pressed button and checked rows.
  ///   - screen: screen of the answer.
  init(of answer: FormAnswer, _ choice: SentChoice, on screen: PresentedScreen) {
    self.init(screen: screen.id, typed: answer.typedEntries)
    // The form of this button contains no fields.
    if choice.isAlone { typed = [:] }
    // The page is shown again, so that from then on each check refers to the current state of the row.
    if screen.screen.choosing?.count != nil, !choice.isConfirmed {
      checked = CheckedRows(choice.checked.ids, on: screen.screen)
    }
  }
}
