import ProgramQuestions

/// One call of the shim as a pinentry: its messages contain gpg-agent's commands.
struct PinentryCall: Sendable {
  /// The name of the shim.
  static let name = "pinentry"

  private var reader = ShimReader()
  private var session: PinentrySession
  private var question: Int?
  /// The descriptor that gpg-agent reads.
  private var output = "1"
  private var arguments: [String] = []

  /// Creates a session with a shim that has just connected.
  ///
  /// - Parameter process: the process id that the session reports to gpg-agent.
  init(process: Int32) {
    session = PinentrySession(identity: PinentrySession.Identity(version: "1.2.1", process: process))
  }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      switch message.name {
      case "argument": arguments.append(String(decoding: message.bytes, as: UTF8.self))
      case "ready":
        if arguments.count == 2, Int32(arguments[0]) != nil, Int32(arguments[1]) != nil { output = arguments[1] }
        effects.append(write(PinentrySession.greeting))
      case "input": effects += obey(session.receive(message.bytes))
      case "end": effects += obey(session.close())
      case "shim", "variable", "size", "writable": break
      default: throw .unexpected(message.name)
      }
    }
    return effects
  }

  /// Takes an answer to the open question; nil if it does not fit, so that the question stays open.
  mutating func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect]? {
    guard let question else { return [] }
    if case .event("timeout", _, _) = answer { return obey(session.timeOut()) }
    guard let effects = try? session.answer(answer, to: question) else { return nil }
    return obey(effects)
  }

  private mutating func obey(_ effects: [PinentryEffect]) -> [DialogSession.Effect] {
    effects.map { effect in
      switch effect {
      case .reply(let bytes): return write(bytes)
      case .ask(var asked, let id):
        question = id
        asked.timeout = session.timeout
        return .ask(asked)
      case .withdraw: return .withdraw
      case .end: return .send(ShimMessage("exit", "0".utf8).encoded)
      }
    }
  }

  private func write(_ bytes: [UInt8]) -> DialogSession.Effect {
    .send(ShimMessage("output", Array("\(output) ".utf8) + bytes).encoded)
  }
}
