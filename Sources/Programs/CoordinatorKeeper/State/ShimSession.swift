import Glibc
import ProgramQuestions

/// One call of a shim, which is told apart by its first message.
struct ShimSession: Sendable {
  private enum Call: Sendable {
    case unknown
    case dialog(DialogSession)
    case askpass(AskpassSession)
    case pinentry(PinentryCall)
    case password(PasswordCall)
  }

  private let caller: String
  private let process: Int32
  private var head: [UInt8] = []
  private var call = Call.unknown

  /// Creates the session of a shim that has just connected.
  ///
  /// - Parameters:
  ///   - caller: the command of the process that called the shim.
  ///   - process: the number of this process.
  init(caller: String, process: Int32 = getpid()) { (self.caller, self.process) = (caller, process) }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    switch call {
    case .unknown:
      head += bytes
      var reader = ShimReader()
      guard let first = try reader.read(head).first else { return [] }
      guard first.name == "shim" else { throw .unexpected(first.name) }
      call =
        switch String(decoding: first.bytes, as: UTF8.self) {
        case AskpassSession.name: .askpass(AskpassSession(caller: caller))
        case PinentryCall.name: .pinentry(PinentryCall(process: process))
        case PasswordCall.name: .password(PasswordCall())
        default: .dialog(DialogSession())
        }
      let head = head
      self.head = []
      return try receive(head)
    case .dialog(var session):
      defer { call = .dialog(session) }
      return try session.receive(bytes)
    case .askpass(var session):
      defer { call = .askpass(session) }
      return try session.receive(bytes)
    case .pinentry(var session):
      defer { call = .pinentry(session) }
      return try session.receive(bytes)
    case .password(var session):
      defer { call = .password(session) }
      return try session.receive(bytes)
    }
  }

  /// Takes an answer to the open question; nil if it does not fit, so that the question stays open.
  mutating func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect]? {
    switch call {
    case .unknown: return []
    case .dialog(var session):
      defer { call = .dialog(session) }
      return session.answer(answer)
    case .askpass(let session): return session.answer(answer)
    case .pinentry(var session):
      defer { call = .pinentry(session) }
      return session.answer(answer)
    case .password(let session): return session.answer(answer)
    }
  }

  /// Goes on after a box was shown for a while.
  mutating func timePassed() -> [DialogSession.Effect] {
    guard case .dialog(var session) = call else { return [] }
    defer { call = .dialog(session) }
    return session.timePassed()
  }
}
