import CoordinatorBus
import CoordinatorKit
import Platform

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

/// The drafts of one browser: at most one per flow tree, and at most ``maximumCount`` in total.
public struct Drafts: Sendable {
  /// The maximum number of trees with a draft; beyond it, the oldest draft is dropped.
  public static let maximumCount = 8

  private var drafts: [(tree: String, draft: Draft)] = []

  /// Creates an empty set of drafts.
  public init() {}

  /// Returns the draft of a screen.
  ///
  /// - Parameters:
  ///   - screen: id of the screen.
  ///   - tree: name of the flow tree.
  /// - Returns: the draft, or nil if there is none.
  public func draft(of screen: UInt64, in tree: String) -> Draft? {
    drafts.first { $0.tree == tree && $0.draft.screen == screen }?.draft
  }

  /// Replaces the draft of a tree.
  ///
  /// - Parameters:
  ///   - draft: new draft; nil removes the draft of the tree.
  ///   - tree: name of the flow tree.
  public mutating func keep(_ draft: Draft?, in tree: String) {
    drafts.removeAll { $0.tree == tree }
    guard let draft else { return }
    if drafts.count >= Self.maximumCount { drafts.removeFirst() }
    drafts.append((tree, draft))
  }
}

/// The conditions of a field for the script of a page: for each other control, the strings that it may send.
struct ShownIf: Sendable, Hashable {
  private let json: JSONValue

  /// Converts the conditions of a field; nil if it has none.
  ///
  /// - Parameters:
  ///   - field: field with conditions.
  ///   - name: closure that returns the name of another field's control.
  init?(_ field: Field, name: (String) -> String = { FormAnswer.prefix + $0 }) {
    guard !field.conditions.isEmpty else { return nil }
    json = .array(
      field.conditions.map { condition in
        let texts = condition.values.map { JSONValue.string($0.string ?? $0.canonicalText) }
        return ["name": .string(name(condition.field)), "values": .array(texts)]
      })
  }

  /// The conditions as JSON: an array of objects with the name of a control, and the values of which it must have one.
  var text: String { json.canonicalText }
}

extension Draft {
  /// Adopts the text typed since the answer was refused, and drops the reasons that no longer apply: those of fields whose text
  /// has changed, and is valid as far as the schema can determine.
  ///
  /// - Parameters:
  ///   - answer: current text, without secrets.
  ///   - filled: names of the secret controls that contain text. Their values stay in the browser.
  ///   - fields: fields of the form.
  mutating func correct(with answer: FormAnswer, filled: [String], fields: [Field]) {
    let secrets = Set(filled.compactMap(FormAnswer.field(ofControl:)))
    for field in fields {
      let keys = reasons.keys.filter { $0 == field.name || $0.bytes.hasPrefix(field.name + "[") }
      guard !keys.isEmpty else { continue }
      let isCorrected =
        field.schema.isSecret ? secrets.contains(field.name) : hasChanged(field, answer) && Self.isValid(answer, field)
      if isCorrected { for key in keys { reasons[key] = nil } }
    }
    typed = answer.typed
  }

  private func hasChanged(_ field: Field, _ answer: FormAnswer) -> Bool {
    // Empty rows are not part of a refused answer.
    answer.typed[field.name] != typed[field.name] && answer.typedEntries[field.name] != typed[field.name]
  }

  private static func isValid(_ answer: FormAnswer, _ field: Field) -> Bool {
    let values = answer.payload[field.name].map { [field.name: $0] } ?? [:]
    return Schema.object([field]).check(values).isEmpty && !(values.isEmpty && field.isRequiredIfShown)
  }
}
