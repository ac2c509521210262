import Forms

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
