import ProgramQuestions

/// One call of a shim, which is told apart by its first message.
struct ShimSession: Sendable {
  private enum Call: Sendable {
    case unknown
    case dialog(DialogSession)
    case askpass(AskpassSession)
  }

  private let caller: String
  private var head: [UInt8] = []
  private var call = Call.unknown

  /// Creates the session of a shim that has just connected.
  ///
  /// - Parameter caller: the command of the process that called the shim.
  init(caller: String) { self.caller = caller }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    switch call {
    case .unknown:
      head += bytes
      var reader = ShimReader()
      guard let first = try reader.read(head).first else { return [] }
      let isAskpass = first == ShimMessage("shim", AskpassSession.name.utf8)
      call = isAskpass ? .askpass(AskpassSession(caller: caller)) : .dialog(DialogSession())
      let head = head
      self.head = []
      return try receive(head)
    case .dialog(var session):
      defer { call = .dialog(session) }
      return try session.receive(bytes)
    case .askpass(var session):
      defer { call = .askpass(session) }
      return try session.receive(bytes)
    }
  }

  /// Takes an answer to the open question.
  mutating func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect] {
    switch call {
    case .unknown: return []
    case .dialog(var session):
      defer { call = .dialog(session) }
      return session.answer(answer)
    case .askpass(let session): return session.answer(answer)
    }
  }

  /// Goes on after a box was shown for a while.
  mutating func timePassed() -> [DialogSession.Effect] {
    guard case .dialog(var session) = call else { return [] }
    defer { call = .dialog(session) }
    return session.timePassed()
  }
}
