import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// A description of the answers that a screen accepts, as lines that can be pasted into an answers file.
struct AnswerOffer: Sendable, Hashable {
  private static let longestList = 20

  /// The lines below the name of the flow.
  let lines: [String]
  /// The same information as JSON.
  let json: JSONValue

  /// Describes the answers that a screen accepts.
  ///
  /// - Parameters:
  ///   - presented: screen.
  ///   - others: all screens of the window, from which a review takes the names of its answers' screens.
  init(_ presented: PresentedScreen, among others: [PresentedScreen] = []) {
    let screen = presented.screen
    var lines: [String] = []
    if let form = screen.form, let action = screen.actions.first(where: { $0.role == .primary }) {
      lines.append("\(screen.name):   # sent as \(action.id)")
      lines += form.fields.map { field in
        let kind = field.schema.isSecret ? "{ fd: 3 }, { credential: NAME } or { file: PATH }" : FieldText.kind(of: field.schema)
        let remarks =
          (field.isRequiredIfShown ? [] : ["optional"])
          + (FieldText.condition(of: field, among: form.fields).map { [$0] } ?? [])
        return "  \(field.name): \(kind)" + (remarks.isEmpty ? "" : "   # \(remarks.joined(separator: ", "))")
      }
    }
    let suggested = screen.offeredSuggestions
    if let items = screen.items { lines.append("\(screen.name): \(Self.text(of: items, screen.choosing, suggested))") }
    let actions = screen.actions.filter { screen.form == nil || $0.role != .primary }
    if !actions.isEmpty {
      let disabled = screen.actions.compactMap { action in action.disabled.map { (action.id, $0) } }
      let remark = Self.list(actions.filter { $0.disabled == nil }.map(\.id), not: disabled)
      lines.append("\(screen.name): ACTION   # " + remark + Self.text(of: suggested.filter(Set(actions.map(\.id)).contains)))
    }
    let changes = ReviewChanges(on: screen, among: others).names
    if !changes.isEmpty { lines.append("\(screen.name): { change: SCREEN }   # \(Self.list(changes))") }
    if presented.back { lines.append("\(screen.name): { back: true }") }
    self.lines = lines.map(\.printable)
    json = JSONValue(presented)
  }

  private static func text(of items: [Item], _ choosing: Choosing?, _ suggested: [String]) -> String {
    let disabled = items.compactMap { item in item.disabled.map { (item.id, $0) } }
    let remark = list(items.filter { $0.disabled == nil }.map(\.id), not: disabled)
    let initial =
      (choosing.map(\.initial).flatMap { $0.isEmpty ? nil : "; at first: \(list($0))" } ?? "")
      + text(of: suggested.filter(Set(items.map(\.id)).contains))
    guard let count = choosing?.count else { return "{ select: ITEM }   # \(remark)\(initial)" }
    return "{ select: [ITEM, ITEM] }   # \(ItemSelection.text(of: count)) of \(remark)\(initial)"
  }

  /// Returns a remark about the suggestions of a screen; empty if there are none.
  private static func text(of suggested: [String]) -> String { suggested.isEmpty ? "" : "; suggested: \(list(suggested))" }

  /// Lists ids, and those that cannot be chosen now with the reasons.
  private static func list(_ ids: [String], not disabled: [(id: String, reason: String)]) -> String {
    guard !disabled.isEmpty else { return list(ids) }
    let others = disabled.prefix(longestList).map { "\($0.id) (\($0.reason))" }.joined(separator: ", ")
    return [ids.isEmpty ? nil : list(ids), "not now: \(others)"].compactMap(\.self).joined(separator: "; ")
  }

  private static func list(_ ids: [String]) -> String {
    ids.prefix(longestList).joined(separator: ", ") + (ids.count > longestList ? " and \(ids.count - longestList) more" : "")
  }
}

/// The answers under review that can be changed now, by the screens on which they were given.
struct ReviewChanges: Sendable, Hashable {
  /// A screen that can be shown again.
  struct Target: Sendable, Hashable {
    var id: UInt64
    /// The name of the screen; nil if the screen is not known.
    var name: String?
    /// The questions and answers on the screen: `Name: Ada`.
    var answers: [String]
  }

  /// The screens in the order of the review, each once.
  let targets: [Target]

  /// Finds the answers that can be changed.
  ///
  /// - Parameters:
  ///   - screen: screen that shows the review.
  ///   - others: all screens of the window, which give the names.
  init(on screen: Screen, among others: [PresentedScreen]) {
    var targets: [Target] = []
    // While a screen is busy, its answers are in use.
    for row in screen.progress == nil ? screen.review : [] {
      guard let id = row.screen?.number else { continue }
      let answer = "\(row.title): \(row.value.bytes.split(separator: "\n").joined(separator: ", "))"
      if let index = targets.firstIndex(where: { $0.id == id }) {
        targets[index].answers.append(answer)
      } else {
        targets.append(Target(id: id, name: others.first { $0.id == id }?.screen.name, answers: [answer]))
      }
    }
    self.targets = targets
  }

  /// The names of the screens, each once.
  var names: [String] { targets.compactMap(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

  /// Returns the id of a named screen; if there are several, the topmost one.
  func id(named name: String) -> UInt64? { targets.last { $0.name?.bytes.equals(name) == true }?.id }

  /// Returns the payload of `change` that shows a screen again.
  static func payload(_ id: UInt64) -> [String: JSONValue] { ["id": .integer(Int64(clamping: id))] }

  /// Lines for users that list what can be sent.
  var advice: [String] {
    guard !targets.isEmpty else { return [] }
    return ["  answers that can be changed:"]
      + targets.map { "    change id=\($0.name ?? "\($0.id)")   # \($0.answers.joined(separator: "; "))".printable }
  }
}

extension ToolFailure {
  /// Describes a missing answer for a screen, or missing values for some of its fields. Begins with the errors that the screen
  /// shows about the answer before, which is why it asks again. Names the keys, and lists the accepted answers.
  ///
  /// - Parameters:
  ///   - key: key at which the answer should be.
  ///   - fields: names of the fields without a value; empty if the screen has no answer at all.
  ///   - former: key of the answer that the screen was given before; nil if there was none.
  ///   - screen: screen that needs the answer.
  ///   - others: all screens of the window.
  init(
    missing key: AnswerKey, fields: [String], after former: AnswerKey?, on screen: PresentedScreen,
    among others: [PresentedScreen] = []
  ) {
    let keys = fields.isEmpty ? ["\(key)"] : fields.map { "\(key): \($0)" }
    let missing = "no answer for " + keys.joined(separator: ", ").printable
    let errors = screen.screen.errors
    let refusals = former.map { former in errors.map { "\(former): ".printable + $0 } } ?? []
    self.init(
      (refusals.isEmpty ? [missing] : refusals + ["  it was refused, and the screen is shown again: \(missing)"])
        + (Self.lines(asSaidBy: screen)
          ?? (refusals.isEmpty ? errors.map { "  " + $0 } : []) + Self.lines(offering: screen, among: others, under: key)),
      exit: .missingAnswer)
    json = [
      "error": [
        "message": .string(lines.first ?? ""), "name": .string(ToolExit.missingAnswer.word),
        "missing": .array(
          (fields.isEmpty ? [key.path] : fields.map { key.path + [$0] }).map { .array($0.map(JSONValue.string)) }),
        "screen": JSONValue(screen),
      ]
    ]
  }

  /// Describes an answer that was refused.
  ///
  /// - Parameters:
  ///   - key: key of the answer.
  ///   - reasons: reasons for the refusal.
  ///   - offer: screen whose accepted answers are listed, if that helps.
  ///   - others: all screens of the window.
  init(wrong key: AnswerKey, _ reasons: [String], offer: PresentedScreen?, among others: [PresentedScreen] = []) {
    self.init(
      reasons.map { "\(key): \($0)".printable } + (offer.map { Self.lines(offering: $0, among: others, under: key) } ?? []))
    json = [
      "error": [
        "message": .string(lines.first ?? ""), "name": "WrongAnswer", "key": .array(key.path.map(JSONValue.string)),
        "reasons": .array(reasons.map(JSONValue.string)),
      ]
    ]
  }

  /// Describes an answers file that cannot be used.
  init(_ error: AnswersError, path: String) {
    self.init(["\(path): \(error)".printable])
  }

  /// Returns the screen's own explanation of answers that are missing in another file: one for debconf-set-selections.
  private static func lines(asSaidBy screen: PresentedScreen) -> [String]? {
    guard let message = screen.screen.messages.first(where: { $0.code == "no-answer" }) else { return nil }
    return message.text.bytes.split(separator: "\n").map { "  \($0)".printable }
  }

  private static func lines(
    offering screen: PresentedScreen, among others: [PresentedScreen], under key: AnswerKey
  ) -> [String] {
    let offer = AnswerOffer(screen, among: others).lines
    guard !offer.isEmpty else { return [] }
    return ["  expected:", "    answers:", "      \(key.flow.printable):"] + offer.map { "        \($0)" }
  }
}

extension Screen {
  /// The errors that the screen shows, each with its field: those of the answer before, if there was one.
  var errors: [String] {
    messages.filter { $0.level == .error }.map { message in
      ((message.field.map { "\($0): " } ?? "") + message.text).printable
    }
  }
}

extension ClientError {
  /// Whether there was no reply, because the daemon or the bus went away. The answer may or may not have been accepted.
  var leavesUnanswered: Bool {
    if case .failed(let error) = self, error.isStandard("Disconnected") { return true }
    return isDaemonGone
  }
}
