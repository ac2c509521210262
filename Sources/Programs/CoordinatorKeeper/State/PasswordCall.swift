import Forms
import Glibc
import ProgramQuestions

/// One call of the shim for systemd's request for a password.
struct PasswordCall: Sendable {
  /// The name of the shim.
  static let name = "password-request"

  /// The monotonic clock, in microseconds.
  private let now: @Sendable () -> UInt64
  private var reader = ShimReader()
  private var path: [UInt8] = []
  private var request: PasswordRequest?

  /// Creates a session with a shim that has just connected.
  ///
  /// - Parameter now: the monotonic clock, in microseconds.
  init(
    now: @escaping @Sendable () -> UInt64 = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
  ) { self.now = now }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      switch message.name {
      case "argument": if path.isEmpty { path = message.bytes }
      case "ready": effects.append(.send(ShimMessage("read-regular", path).encoded))
      case "content":
        guard let request = try? PasswordRequest(String(decoding: message.bytes, as: UTF8.self)) else { return end(1) }
        // No process would read the password.
        guard request.state(at: now(), isAlive: { kill($0, 0) == 0 || errno == EPERM }) == .open else { return end(0) }
        self.request = request
        var question = request.question()
        if let end = request.notAfter { question.timeout = Int(clamping: (end - min(end, now())) / 1_000_000 + 1) }
        effects.append(.ask(question))
      // The request has been answered meanwhile.
      case "failed": return end(0)
      case "shim", "variable", "size", "writable": break
      default: throw .unexpected(message.name)
      }
    }
    return effects
  }

  /// Takes an answer.
  func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect] {
    guard let request else { return [] }
    if case .event("timeout", _, _) = answer { return end(0) }
    let datagram = Array("\(request.socket)\n".utf8) + request.datagram(for: answer)
    return [.send(ShimMessage("datagram", datagram).encoded)] + end(0)
  }

  private func end(_ status: UInt8) -> [DialogSession.Effect] {
    [.send(ShimMessage("exit", "\(status)".utf8).encoded), .end(status: status)]
  }
}

extension KeeperState {
  /// Appends a question to the open ones.
  mutating func ask(_ question: ProgramQuestion, _ asker: OpenQuestion.Asker) -> [KeeperEffect] {
    lastQuestion += 1
    let open = OpenQuestion(id: QuestionID(lastQuestion), asker: asker, question: question)
    questions.append(open)
    display = nil
    guard let timeout = question.timeout, timeout > 0 else { return [] }
    // A timeout longer than a year is treated as infinite.
    return [.wait(.unanswered(open.id), milliseconds: min(timeout, 31_536_000) * 1_000)]
  }

  /// Passes an answer to the call, connection or terminal that waits for it.
  mutating func answer(_ id: QuestionID, _ answer: ProgramAnswer, replyingTo control: ConnectionID) -> [KeeperEffect] {
    let text = id.text(of: program)
    guard let index = questions.firstIndex(where: { $0.id == id }) else {
      return reply(control, taken.contains(id) ? ControlReply.taken(text) : ControlReply.stale(text))
    }
    let open = questions[index]
    if answer == .back, !open.question.allowsBack {
      return reply(control, ControlReply.refused(text, "the program cannot go back from this question"))
    }
    do throws(AnswerRefusal) {
      let effects = try give(answer, to: open)
      return reply(control, ControlReply.taken(text)) + effects
    } catch { return reply(control, ControlReply.refused(text, error.reason)) }
  }

  /// The reason why the question stays open.
  private struct AnswerRefusal: Error { let reason: String }

  private mutating func give(_ answer: ProgramAnswer, to open: OpenQuestion) throws(AnswerRefusal) -> [KeeperEffect] {
    switch open.asker {
    case .call(let id):
      guard let effects = calls[id]?.answer(answer) else {
        throw AnswerRefusal(reason: "the screen does not offer this event")
      }
      take(away: open.id)
      return obey(effects, of: id)
    case .debconf(let id, let block):
      var effects: [DebconfEffect] = []
      do throws(DebconfAnswerError) {
        effects = try debconfs[id]?.answer(answer, to: block, remembering: &memory) ?? []
      } catch { throw AnswerRefusal(reason: "\(error)") }
      take(away: open.id)
      return obey(effects, of: id)
    case .terminal(let prompt):
      guard let keys = prompt.keys(for: answer) else { throw AnswerRefusal(reason: "the screen does not offer this event") }
      take(away: open.id)
      tail.answered()
      return [.type(keys)]
    }
  }

  /// Closes an answered question.
  private mutating func take(away id: QuestionID) {
    questions.removeAll { $0.id == id }
    taken.insert(id)
    // Clients repeat an answer only soon after they sent it, so old ids can be forgotten.
    if taken.count > 4_096 { taken = taken.filter { $0.number > id.number - 1_024 } }
  }

  /// Answers a question whose timeout has passed.
  mutating func timePassed(_ id: QuestionID) -> [KeeperEffect] {
    guard let open = questions.first(where: { $0.id == id }), case .call(let call) = open.asker else { return [] }
    questions.removeAll { $0.id == id }
    return obey(calls[call]?.answer(.event("timeout", payload: [:], secrets: [:])) ?? [], of: call)
  }
}

/// A connection to one of the keeper's sockets. Ids are never reused.
package typealias ConnectionID = Int

/// The kind of client that has connected, by the socket.
package enum ConnectionKind: Sendable, Hashable {
  /// The engine, or a tool.
  case control
  /// A call of a shim. `caller` is the name of the process that called the shim, if known.
  case shim(caller: String)
  /// debconf, with the name of the package if its environment has one.
  case debconf(package: String)
  /// apt's progress.
  case apt
}

/// An event that a keeper reacts to.
package enum KeeperEvent: Sendable, Hashable {
  case connected(ConnectionID, ConnectionKind)
  case received(ConnectionID, [UInt8])
  /// The peer has closed the connection, or the connection has failed.
  case closed(ConnectionID)
  /// debconf waits to connect, and the limit of connections is reached.
  case crowded
  /// The program has written to its terminal.
  case printed([UInt8])
  /// The program has ended; its descendants may still run.
  case ended(ProgramEnding)
  /// No descendant of the program runs any more.
  case childless
  case timer(KeeperTimer)
  /// An operation has failed; the program continues.
  case trouble(String)
  /// A signal has asked the keeper to end.
  case interrupted
}

/// A timer of a keeper.
package enum KeeperTimer: Sendable, Hashable {
  /// The next message about progress may be sent.
  case progress
  /// The program has printed nothing for a short time: it may wait for an answer.
  case quiet
  /// The time has passed in which a client must send its request, or must end after its answer.
  case silent(ConnectionID)
  /// A box has been shown for the time that the program asked for.
  case shown(ConnectionID)
  /// The program no longer waits for an answer.
  case unanswered(QuestionID)
  /// The time limit for processes that were asked to end has passed.
  case patience
  /// The time has passed for which the exit status is kept.
  case unfetched
}

/// An effect that ``KeeperState`` returns for the keeper to perform.
package enum KeeperEffect: Sendable, Hashable {
  case send(ConnectionID, [UInt8])
  /// Closes a connection once everything is sent.
  case close(ConnectionID)
  /// Types bytes into the program's terminal.
  case type([UInt8])
  /// Reports ``KeeperEvent/timer(_:)`` after some time. Setting a timer again restarts it.
  case wait(KeeperTimer, milliseconds: Int)
  /// Asks all descendants of the keeper to end.
  case terminate
  /// Kills all descendants of the keeper.
  case kill
  /// Hangs up the terminal, which also ends processes of other users.
  case hangUp
  /// Ends the keeper once everything is sent.
  case leave
}

/// The way in which a program has ended.
package enum ProgramEnding: Sendable, Hashable {
  /// With an exit status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)
  /// It still runs, but no signal of this user reaches it, and its terminal is closed.
  case outOfReach

  /// Reads the status of an ended process, as `waitpid` returns it.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
  }

  /// The ending in the form of the control protocol.
  var json: JSONValue {
    switch self {
    case .status(let status): ["status": .integer(Int64(status))]
    case .signal(let signal): ["signal": .integer(Int64(signal))]
    case .outOfReach: ["out-of-reach": true]
    }
  }
}
