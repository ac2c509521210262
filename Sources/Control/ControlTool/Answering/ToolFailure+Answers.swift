import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

extension ToolFailure {
  /// Describes a missing answer for a screen, or missing values for some of its fields. Names the keys and lists the
  /// accepted answers.
  ///
  /// - Parameters:
  ///   - key: key at which the answer should be.
  ///   - fields: names of the fields without a value; empty if the screen has no answer at all.
  ///   - screen: screen that needs the answer.
  ///   - others: all screens of the window.
  init(missing key: AnswerKey, fields: [String], on screen: PresentedScreen, among others: [PresentedScreen] = []) {
    let keys = fields.isEmpty ? ["\(key)"] : fields.map { "\(key): \($0)" }
    self.init(
      ["no answer for " + keys.joined(separator: ", ").printable]
        + (Self.lines(asSaidBy: screen) ?? Self.lines(offering: screen, among: others, under: key)),
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

extension ClientError {
  /// Whether there was no reply, because the daemon or the bus went away. The answer may or may not have been accepted.
  var leavesUnanswered: Bool {
    if case .failed(let error) = self, error.isStandard("Disconnected") { return true }
    return isDaemonGone
  }
}
