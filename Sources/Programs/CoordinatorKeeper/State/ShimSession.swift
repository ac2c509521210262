import Glibc
import ProgramQuestions

/// One call of a shim, whose kind its first message determines.
struct ShimSession: Sendable, CustomStringConvertible {
  private enum Call: Sendable {
    case unknown
    case dialog(DialogSession)
    case askpass(AskpassSession)
    case pinentry(PinentryCall)
    case password(PasswordCall)
  }

  private let caller: String
  /// The name of the program that the shim replaces; empty before its first message.
  private var name = ""
  private let process: Int32
  private var head: [UInt8] = []
  private var call = Call.unknown
  /// Whether the call is complete. The keeper does not wait for shims that have sent only a part of a call.
  private(set) var hasCalled = false
  /// The reader of messages after the exit request; nil before it.
  private var late: ShimReader?

  /// Creates the session of a shim that has just connected.
  ///
  /// - Parameters:
  ///   - caller: the command of the process that called the shim.
  ///   - process: the number of this process.
  init(caller: String, process: Int32 = getpid()) { (self.caller, self.process) = (caller, process) }

  /// The calling program, for people.
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
    // Every complete call is answered by a question or a request.
    if !effects.isEmpty { hasCalled = true }
    return effects
  }

  /// Whether the shim has received its exit request.
  var isToEnd: Bool { late != nil }

  /// Marks the exit request as sent. Drops all data of the call, because an answer may be a secret.
  mutating func end() { (call, late) = (.unknown, ShimReader()) }

  /// Reads why a shim cannot carry out a request. Ignores all other messages, which are too late.
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

  /// Continues after a box was shown for its time.
  mutating func timePassed() -> [DialogSession.Effect] {
    guard case .dialog(var session) = call else { return [] }
    defer { call = .dialog(session) }
    return session.timePassed()
  }
}
