import Forms
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

extension KeeperState {
  mutating func receive(fromControl id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    var effects: [KeeperEffect] = []
    controls[id]?.lines.append(bytes)
    while let line = controls[id]?.lines.popLine() {
      do throws(ControlError) {
        effects += take(try ControlRequest(line), from: id)
      } catch {
        controls[id] = nil
        return effects + [.send(id, ControlReply.line(ControlReply.error(error))), .close(id)]
      }
    }
    return effects
  }

  private mutating func take(_ request: ControlRequest, from id: ConnectionID) -> [KeeperEffect] {
    controls[id]?.hasSpoken = true
    switch request {
    case .watch(let sequence):
      controls[id]?.watches = sequence
      let effects = tell(id)
      // A new watcher receives the current progress at once.
      return effects.isEmpty && visible == .working ? [.send(id, ControlReply.line(["progress": progress]))] : effects
    case .answer(let text, let answer):
      guard let question = QuestionID(text, of: program) else { return reply(id, ControlReply.stale(text)) }
      return self.answer(question, answer, replyingTo: id)
    case .cancel:
      var isCancelled = false
      for connection in debconfs.keys where debconfs[connection]?.cancelProgress() == true { isCancelled = true }
      return reply(id, ["cancelling": .boolean(isCancelled)])
    case .end:
      if case .ended = visible {
        isFetched = true
        return reply(id, ["ending": true])
      }
      return reply(id, ["ending": true]) + end()
    }
  }

  func reply(_ id: ConnectionID, _ message: JSONValue) -> [KeeperEffect] { [.send(id, ControlReply.line(message))] }

  /// Sends the current state to all watchers.
  mutating func tellWatchers() -> [KeeperEffect] {
    controls.keys.sorted().flatMap { tell($0) }
  }

  /// Sends the current state to a connection, if it is newer than the state that the connection knows. A number that has not
  /// been reached yet is from an earlier keeper.
  private mutating func tell(_ id: ConnectionID) -> [KeeperEffect] {
    guard let watches = controls[id]?.watches, sequence != watches else { return [] }
    controls[id]?.watches = nil
    let number = JSONValue.integer(Int64(clamping: sequence))
    switch visible {
    case .working: return reply(id, ["sequence": number, "working": progress])
    case .asking:
      guard let first = questions.first else { return [] }
      return reply(id, ControlReply.question(first, of: program, sequence: sequence))
    case .ended(let ending):
      controls[id]?.hasEnd = true
      let lines = tail.lines(rows).map { JSONValue.string($0) }
      var end: [String: JSONValue] = ["sequence": number, "ended": ending.json, "lines": .array(lines)]
      if tail.hasMore(than: rows) { end["cut"] = true }
      if !troubles.isEmpty { end["troubles"] = .array(troubles.map { .string($0) }) }
      return reply(id, .object(end))
    }
  }
}
