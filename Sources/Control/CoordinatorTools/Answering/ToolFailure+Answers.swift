import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

extension ToolFailure {
  /// An answers file has no answer for a screen, or for some of its fields: names the keys, and says what could stand there.
  ///
  /// - Parameters:
  ///   - key: Where the answer should be.
  ///   - fields: The fields that have no value; none if the whole screen has no answer.
  ///   - screen: The screen.
  init(missing key: AnswerKey, fields: [String], on screen: PresentedScreen) {
    let keys = fields.isEmpty ? ["\(key)"] : fields.map { "\(key): \($0)" }
    self.init(
      ["no answer for " + keys.joined(separator: ", ").printable] + Self.lines(offering: screen, under: key),
      exit: .missingAnswer)
    json = [
      "error": [
        "message": .string(lines.first ?? ""),
        "missing": .array(
          (fields.isEmpty ? [key.path] : fields.map { key.path + [$0] }).map { .array($0.map(JSONValue.string)) }),
        "screen": JSONValue(screen),
      ]
    ]
  }

  /// An answer was not taken.
  ///
  /// - Parameters:
  ///   - key: Where it stands.
  ///   - reasons: Why.
  ///   - offer: The screen, if it helps to know what it takes.
  init(wrong key: AnswerKey, _ reasons: [String], offer: PresentedScreen?) {
    self.init(
      reasons.map { "\(key): \($0)".printable } + (offer.map { Self.lines(offering: $0, under: key) } ?? []))
    json = [
      "error": [
        "message": .string(lines.first ?? ""), "key": .array(key.path.map(JSONValue.string)),
        "reasons": .array(reasons.map(JSONValue.string)),
      ]
    ]
  }

  /// The file itself cannot be used.
  init(_ error: AnswersError, path: String) {
    self.init(["\(path): \(error)".printable])
  }

  private static func lines(offering screen: PresentedScreen, under key: AnswerKey) -> [String] {
    let offer = AnswerOffer(screen).lines
    guard !offer.isEmpty else { return [] }
    return ["  what it takes:", "    answers:", "      \(key.flow.printable):"] + offer.map { "        \($0)" }
  }
}

extension ClientError {
  /// Whether the daemon went away before it answered.
  var isDaemonGone: Bool {
    switch self {
    case .noDaemon: true
    case .failed(let error): error.isStandard("NoReply") || error.isStandard("Disconnected")
    default: false
    }
  }
}
