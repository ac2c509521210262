import CoordinatorKit
import Forms
import Platform

/// One conversation of a pinentry with gpg-agent, from the side of the pinentry.
///
/// A value without I/O: it takes bytes and answers, and returns effects. Begin with ``greeting``.
package struct PinentrySession: Sendable {
  /// The question that is not answered yet.
  struct Asking: Sendable, Hashable {
    let id: Int
    let kind: PinentryTexts.Kind
  }

  /// The identity of this process, which `GETINFO` returns.
  package struct Identity: Sendable, Hashable {
    package var version: String
    package var process: Int32

    package init(version: String, process: Int32) { (self.version, self.process) = (version, process) }
  }

  let identity: Identity
  var buffer = LineBuffer(limit: AssuanText.maximumLine + 1)
  var texts = PinentryTexts()
  var options: [String: String] = [:]
  var asking: Asking?
  var questions = 0
  var hasEnded = false

  /// Creates a conversation.
  package init(identity: Identity) { self.identity = identity }

  /// The first line, which the pinentry writes before it receives a command.
  package static let greeting = Array("OK Pleased to meet you\n".utf8)

  /// Takes bytes from gpg-agent.
  ///
  /// - Parameter bytes: the bytes; lines may be split at any byte.
  /// - Returns: the effects, in order.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [PinentryEffect] {
    buffer.append(bytes)
    return takeLines()
  }

  /// Takes the end of the input.
  ///
  /// - Returns: the effects, in order.
  package mutating func close() -> [PinentryEffect] {
    guard !hasEnded else { return [] }
    hasEnded = true
    defer { asking = nil }
    return (asking.map { [.withdraw(id: $0.id)] } ?? []) + [.end]
  }

  /// Takes an answer to the open question.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - id: the id of the question that the answer is for.
  /// - Returns: the effects, in order.
  /// - Throws: ``PinentryAnswerError`` if the answer is not valid; the question stays open.
  package mutating func answer(_ answer: ProgramAnswer, to id: Int) throws(PinentryAnswerError) -> [PinentryEffect] {
    guard let asking, asking.id == id else { throw .notOpen(id: id) }
    guard case .event(let event, _, let secrets) = answer else { return end(with: PinentryError.cancelled.line) }
    switch (asking.kind, event) {
    case (.pin, "okay"): return take(secrets)
    case (.confirmation, "okay"): return end(with: Self.okay)
    case (.confirmation(oneButton: false), "not-okay") where !texts.notOkay.isEmpty:
      return end(with: PinentryError.notConfirmed.line)
    case (.confirmation(oneButton: false), "cancel"):
      // If "no" has its own button, Cancel means more than "no".
      return end(with: (texts.notOkay.isEmpty ? PinentryError.notConfirmed : .cancelled).line)
    case (.pin, "cancel"): return end(with: PinentryError.cancelled.line)
    default: throw .unknownEvent(event)
    }
  }

  /// The time in seconds that the open question waits; nil if it waits forever.
  package var timeout: Int? { asking != nil && texts.timeout > 0 ? texts.timeout : nil }

  /// Takes the end of ``timeout``.
  ///
  /// - Returns: the effects, in order.
  package mutating func timeOut() -> [PinentryEffect] {
    guard let asking else { return [] }
    return [.withdraw(id: asking.id)] + end(with: PinentryError.timeout.line)
  }

  private mutating func take(_ secrets: [String: [UInt8]]) -> [PinentryEffect] {
    let pin = secrets[PinentryTexts.field] ?? []
    var lines: [UInt8] = []
    if texts.repeated != nil {
      guard pin == secrets[PinentryTexts.repeatedField] ?? [] else {
        texts.error = texts.repeatError.isEmpty ? "They are not the same." : texts.repeatError
        return [ask(.pin)]
      }
      lines += Array("S PIN_REPEATED\n".utf8)
    }
    return end(with: lines + AssuanText.dataLines(pin) + Self.okay)
  }

  static let okay = Array("OK\n".utf8)

  mutating func ask(_ kind: PinentryTexts.Kind) -> PinentryEffect {
    questions += 1
    asking = Asking(id: questions, kind: kind)
    return .ask(texts.question(kind), id: questions)
  }

  /// Ends the open question. Texts that were set for this question only do not apply to the next one.
  private mutating func end(with reply: [UInt8]) -> [PinentryEffect] {
    asking = nil
    (texts.error, texts.repeated, texts.repeatError) = ("", nil, "")
    return [.reply(reply)] + takeLines()
  }
}

/// The reason why a pinentry cannot take an answer. The question stays open.
package enum PinentryAnswerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No question with this id is open.
  case notOpen(id: Int)
  /// The screen offers no such event.
  case unknownEvent(String)

  package var description: String {
    switch self {
    case .notOpen(let id): "pinentry does not wait for an answer to question \(id)"
    case .unknownEvent(let event): "the screen does not offer '\(ForeignText(event).line)'"
    }
  }
}

/// Splits the bytes that a program sends into lines that end with LF.
///
/// Truncates lines that are too long, so that a peer cannot exhaust the memory. A truncated line still counts as a line, so
/// that the conversation stays in step.
package struct LineBuffer: Sendable, Hashable {
  /// The maximum number of bytes of a line to keep.
  package let limit: Int
  private var lines: [[UInt8]] = []
  private var next = 0
  private var partial: [UInt8] = []

  /// Creates a buffer.
  package init(limit: Int = 1 << 20) { self.limit = limit }

  /// The bytes after the last line break, which are not a line yet.
  package var rest: [UInt8] { partial }

  /// Adds bytes in the order of arrival.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        lines.append(partial)
        partial = []
      } else if partial.count < limit {
        partial.append(byte)
      }
    }
  }

  /// Removes the first line and returns it without its line break; nil if there is no complete line.
  package mutating func popLine() -> [UInt8]? {
    guard next < lines.count else { return nil }
    defer {
      next += 1
      if next == lines.count { (lines, next) = ([], 0) }
    }
    return lines[next]
  }
}

/// The texts that gpg-agent has set for the next question.
struct PinentryTexts: Sendable, Hashable {
  /// The kind of question.
  enum Kind: Sendable, Hashable {
    case pin
    case confirmation(oneButton: Bool)
  }

  var title = ""
  var description = ""
  var prompt = ""
  var okay = ""
  var cancel = ""
  var notOkay = ""
  var error = ""
  /// The label of the second field; nil if the PIN is typed once.
  var repeated: String?
  var repeatError = ""
  var timeout = 0

  static let field = "pin"
  static let repeatedField = "pin-again"

  /// The question as a screen.
  func question(_ kind: Kind) -> ProgramQuestion {
    switch kind {
    case .pin: pin
    case .confirmation(let oneButton): confirmation(oneButton: oneButton)
    }
  }

  private var pin: ProgramQuestion {
    var screen = start(.form, "pinentry")
    func label(_ text: String, or usual: String) -> String {
      let label = text.bytes.dropping(suffix: ":").map(String.init) ?? text
      return label.isEmpty ? usual : label
    }
    var fields = [ForeignField(Self.field, .secret, title: label(prompt, or: "PIN"))]
    if let repeated { fields.append(ForeignField(Self.repeatedField, .secret, title: label(repeated, or: "Again"))) }
    screen.set(fields: fields)
    screen.add(action: "okay", okay.isEmpty ? "OK" : okay, .primary)
    screen.add(action: "cancel", cancel.isEmpty ? "Cancel" : cancel, .cancel)
    return ProgramQuestion(screen: screen.screen)
  }

  private func confirmation(oneButton: Bool) -> ProgramQuestion {
    var screen = start(oneButton ? .message : .menu, oneButton ? "pinentry-message" : "pinentry-confirm")
    screen.add(action: "okay", okay.isEmpty ? "OK" : okay, .primary)
    if !oneButton {
      if !notOkay.isEmpty { screen.add(action: "not-okay", notOkay, .normal) }
      screen.add(action: "cancel", cancel.isEmpty ? "Cancel" : cancel, notOkay.isEmpty ? .normal : .cancel)
    }
    return ProgramQuestion(screen: screen.screen)
  }

  private func start(_ kind: Screen.Kind, _ name: String) -> ForeignScreen {
    var screen = ForeignScreen(kind, name: name, title: title.isEmpty ? "gpg asks" : title)
    // Line breaks are significant: keys and their dates are on separate lines.
    for line in ForeignText(description).lines { screen.add(paragraph: line) }
    if !error.isEmpty { screen.add(message: error, .error, code: "pinentry") }
    return screen
  }
}
