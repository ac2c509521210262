import Glibc
import ProgramQuestions

/// One call of a shim, which is told apart by its first message.
struct ShimSession: Sendable, CustomStringConvertible {
  private enum Call: Sendable {
    case unknown
    case dialog(DialogSession)
    case askpass(AskpassSession)
    case pinentry(PinentryCall)
    case password(PasswordCall)
  }

  private let caller: String
  /// What the shim stands for; empty before it has said so.
  private var name = ""
  private let process: Int32
  private var head: [UInt8] = []
  private var call = Call.unknown
  /// Whether the call is complete: who has sent half of one, or nothing, is not waited for.
  private(set) var hasCalled = false
  /// Reads what the shim says after it was told how to end; nil before.
  private var late: ShimReader?

  /// Creates the session of a shim that has just connected.
  ///
  /// - Parameters:
  ///   - caller: the command of the process that called the shim.
  ///   - process: the number of this process.
  init(caller: String, process: Int32 = getpid()) { (self.caller, self.process) = (caller, process) }

  /// Who calls, for people.
  var description: String {
    "\(name.isEmpty ? "a program" : ForeignText(name).line), called by \(caller.isEmpty ? "a process that is not known" : ForeignText(caller).line)"
  }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    guard late == nil else {
      try hear(bytes)
      return []
    }
    let effects = try pass(bytes)
    // Every call is answered by a question or a request.
    if !effects.isEmpty { hasCalled = true }
    return effects
  }

  /// Whether the shim was told how to end.
  var isToEnd: Bool { late != nil }

  /// Notes that the shim was told how to end. Nothing of the call is kept: an answer may be a secret.
  mutating func end() { (call, late) = (.unknown, ShimReader()) }

  /// Hears why a shim cannot do what it was told. All else has come too late.
  private mutating func hear(_ bytes: [UInt8]) throws(ShimError) {
    do throws(ShimError) {
      _ = try late?.read(bytes)
    } catch .failed(let reason) {
      throw .failed(reason)
    } catch {}
  }

  private mutating func pass(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    switch call {
    case .unknown:
      head += bytes
      var reader = ShimReader()
      guard let first = try reader.read(head).first else { return [] }
      guard first.name == "shim" else { throw .unexpected(first.name) }
      name = String(decoding: first.bytes, as: UTF8.self)
      call =
        switch name {
        case AskpassSession.name: .askpass(AskpassSession(caller: caller))
        case PinentryCall.name: .pinentry(PinentryCall(process: process))
        case PasswordCall.name: .password(PasswordCall())
        default: .dialog(DialogSession())
        }
      let head = head
      self.head = []
      return try pass(head)
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
