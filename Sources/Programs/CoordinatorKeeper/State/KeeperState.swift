import Forms
import Platform
import ProgramQuestions

/// Decides what a keeper does: takes events and returns effects.
///
/// ```swift
/// for effect in state.take(.received(connection, bytes)) { … }
/// ```
package struct KeeperState: Sendable {
  /// A connection of the engine or of a tool.
  struct Control: Sendable {
    /// The limit exceeds the 1 MiB of an answer, because escapes make its line longer.
    var lines = LineBuffer(limit: 16 << 20)
    /// The sequence number that the client watches from; nil if it does not watch.
    var watches: UInt64?
    /// Whether the client has sent a request.
    var hasSpoken = false
    /// Whether the end of the program was sent.
    var hasEnd = false
  }

  /// The progress of ending the program's processes.
  enum Ending: Sendable, Hashable {
    case no
    /// All processes were asked to end.
    case asked
    /// All processes were killed, with the number of attempts.
    case killed(Int)
    /// The terminal of the remaining processes was hung up.
    case hungUp
  }

  /// Time limits and intervals, in milliseconds.
  package struct Times: Sendable, Hashable {
    /// The interval between two messages about progress.
    package var progress = 250
    /// The time between output of the program and the search for a question at its end.
    package var quiet = 30
    /// The time limit for a client to send its request, and for a shim to end after its exit request.
    package var silence = 30_000
    /// The time limit for processes that were asked to end.
    package var patience = 5_000
    /// The interval between two attempts to kill the remaining processes, and the time limit for their end after the
    /// terminal was hung up.
    package var kill = 200
    /// The time for which the exit status is kept for a client.
    package var unfetched = 60_000

    /// Creates the default times.
    package init() {}
  }

  let program: ProgramDescription
  let times: Times
  /// The number of output lines that are shown.
  let rows: Int
  /// The answers to questions of packages, given without users; nil without a file of answers.
  var selections: DebconfSelections?

  var controls: [ConnectionID: Control] = [:]
  var calls: [ConnectionID: ShimSession] = [:]
  var debconfs: [ConnectionID: DebconfConnection] = [:]
  /// Connections of debconf that have sent nothing since they began, for longer than ``Times/silence``.
  var unheard: Set<ConnectionID> = []
  var memory = DebconfMemory()
  var apts: [ConnectionID: LineBuffer] = [:]

  /// The open questions; users see the first one.
  var questions: [OpenQuestion] = []
  var lastQuestion = 0
  var taken: Set<QuestionID> = []

  var tail = OutputTail()
  /// The complete reasons of the first failures, for the administrator.
  private(set) var troubles: [String] = []
  var display: ProgramDisplay?
  var progressIsDue = false
  var progressIsNews = false

  var programEnding: ProgramEnding?
  var isChildless = false
  var ending = Ending.no
  /// Whether a client has acknowledged the end of the program.
  var isFetched = false
  /// Whether the keeper itself was asked to end.
  var isInterrupted = false
  private(set) var sequence: UInt64 = 0
  private var last = Visible.working

  /// Creates the state of a keeper whose program has just been started.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - rows: the height of its terminal.
  ///   - times: the time limits and intervals.
  ///   - selections: the answers to questions of packages, given without users; nil if there is no file of answers.
  package init(
    _ program: ProgramDescription, rows: Int = 24, times: Times = Times(), selections: DebconfSelections? = nil
  ) {
    (self.program, self.rows, self.times, self.selections) = (program, rows, times, selections)
  }

  /// Takes an event.
  ///
  /// - Parameter event: the event.
  /// - Returns: the effects, in order.
  package mutating func take(_ event: KeeperEvent) -> [KeeperEffect] {
    var effects = react(to: event)
    let visible = visible
    if visible != last {
      sequence += 1
      last = visible
      effects += tellWatchers()
      if case .ended = visible { effects += closeShims() + [.wait(.unfetched, milliseconds: times.unfetched)] }
    }
    if case .ended = visible, isKnown || isInterrupted { effects.append(.leave) }
    return effects
  }

  private mutating func react(to event: KeeperEvent) -> [KeeperEffect] {
    switch event {
    case .connected(let id, .control):
      controls[id] = Control()
      let hello = ControlReply.hello(program, sequence: sequence, state: visible.name)
      return [.send(id, ControlReply.line(hello)), .wait(.silent(id), milliseconds: times.silence)]
    case .connected(let id, .shim(let caller)):
      if programEnding != nil { return [.close(id)] }
      calls[id] = ShimSession(caller: caller)
      return [.wait(.silent(id), milliseconds: times.silence)]
    case .connected(let id, .debconf(let package)):
      debconfs[id] = DebconfConnection(package: package)
      return [.wait(.silent(id), milliseconds: times.silence)]
    case .connected(let id, .apt):
      apts[id] = LineBuffer()
      return []
    case .received(let id, let bytes):
      if controls[id] != nil { return receive(fromControl: id, bytes) }
      if apts[id] != nil { return receive(fromApt: id, bytes) }
      return calls[id] != nil ? receive(fromShim: id, bytes) : receive(fromDebconf: id, bytes)
    case .closed(let id): return close(id)
    case .crowded: return closeUnheard()
    case .printed(let bytes): return print(bytes)
    case .ended(let ending):
      programEnding = ending
      return []
    case .childless:
      isChildless = true
      return []
    case .timer(let timer): return take(timer)
    case .trouble(let reason):
      note(reason)
      return []
    case .interrupted:
      isInterrupted = true
      return end()
    }
  }

  private static let mostTroubles = 10

  /// Stores the reason of a failure for the clients that receive the end.
  mutating func note(_ reason: String) {
    if troubles.count < Self.mostTroubles, !troubles.contains(where: { $0.bytes.equals(reason) }) { troubles.append(reason) }
  }

  /// The current state for users.
  var visible: Visible {
    if let programEnding, hasEnded { return .ended(programEnding) }
    if let first = questions.first { return .asking(first.id) }
    return .working
  }

  /// Whether the program and all processes that must end with it have ended. debconf stores empty answers if its connection
  /// ends within a block.
  private var hasEnded: Bool {
    switch ending {
    case .no: isChildless || debconfs.values.allSatisfy(\.mayEnd)
    case .asked, .killed: isChildless
    case .hungUp: true
    }
  }

  /// Whether all connected clients know the end, and one has acknowledged it.
  private var isKnown: Bool { isFetched && controls.values.allSatisfy(\.hasEnd) }
}

/// The state of a keeper that users see. The sequence number increases whenever it changes.
enum Visible: Sendable, Hashable {
  case working
  case asking(QuestionID)
  case ended(ProgramEnding)

  /// The name of the state in the control protocol.
  var name: String {
    switch self {
    case .working: "working"
    case .asking: "asking"
    case .ended: "ended"
    }
  }
}

/// The number of a question of one keeper.
package struct QuestionID: Sendable, Hashable {
  /// The number of the question, counted from 1.
  package let number: Int

  /// Returns the id in the form of the control protocol.
  func text(of program: ProgramDescription) -> String { "\(program.run)-\(number)" }

  /// Creates an id.
  init(_ number: Int) { self.number = number }

  /// Reads an id; returns nil if it is not one of this program.
  init?(_ text: String, of program: ProgramDescription) {
    guard let number = text.bytes.dropping(prefix: "\(program.run)-").flatMap({ Int($0) }) else { return nil }
    self.number = number
  }
}

/// The program of a keeper.
package struct ProgramDescription: Sendable, Hashable {
  /// The id, which is the name of its directory.
  package var id: String
  /// The name of the program for users.
  package var title: String
  /// The command and its arguments.
  package var arguments: [String]
  /// The user that the program runs as.
  package var user: UInt32
  /// The unique id of this run, with which the ids of its questions begin.
  package var run: String

  /// Creates a description.
  package init(id: String, title: String, arguments: [String], user: UInt32, run: String) {
    (self.id, self.title, self.arguments, self.user, self.run) = (id, title, arguments, user, run)
  }
}

extension KeeperState {
  private static let mostKills = 25

  /// Begins to end the program and its descendants.
  mutating func end() -> [KeeperEffect] {
    if case .ended = visible { return [.leave] }
    guard ending == .no else { return [] }
    ending = .asked
    return [.terminate, .wait(.patience, milliseconds: times.patience)]
  }

  /// Continues to end the processes that have not ended yet.
  mutating func endFurther() -> [KeeperEffect] {
    guard !isChildless || programEnding == nil else { return [] }
    switch ending {
    case .no, .hungUp: return []
    case .asked:
      ending = .killed(1)
      return [.kill, .wait(.patience, milliseconds: times.kill)]
    // Processes that were just being started may have been missed.
    case .killed(let count) where count < Self.mostKills:
      ending = .killed(count + 1)
      // Processes that still run may belong to another user; hanging up the terminal reaches them.
      return [.kill] + (count == 2 ? [.hangUp] : []) + [.wait(.patience, milliseconds: times.kill)]
    case .killed:
      ending = .hungUp
      programEnding = programEnding ?? .outOfReach
      return []
    }
  }

  /// Ends the calls of processes that the program has left behind, because its terminal is about to be closed.
  mutating func closeShims() -> [KeeperEffect] {
    let ids = calls.keys.sorted()
    for id in ids { questions.removeAll { $0.asker.belongs(to: id) } }
    calls = [:]
    return ids.map { .close($0) }
  }
}
