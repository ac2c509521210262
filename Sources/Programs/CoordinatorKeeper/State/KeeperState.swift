import Forms
import Platform
import ProgramQuestions

/// Decides what a keeper does: events go in, effects come out.
///
/// ```swift
/// for effect in state.take(.received(connection, bytes)) { … }
/// ```
package struct KeeperState: Sendable {
  /// A connection of the engine or of a tool.
  struct Control: Sendable {
    /// An answer has up to 1 MiB, and escapes make it longer.
    var lines = LineBuffer(limit: 16 << 20)
    /// The sequence number that was watched from; nil if nothing is waited for.
    var watches: UInt64?
    /// Whether it has asked for anything.
    var hasSpoken = false
    /// Whether the end of the program was sent.
    var hasEnd = false
  }

  /// How the end of the program is brought about.
  enum Ending: Sendable, Hashable {
    case no
    /// All processes were asked to end.
    case asked
    /// All processes were killed, so many times.
    case killed(Int)
    /// The terminal was taken away from what is left.
    case hungUp
  }

  /// How long things take, in milliseconds.
  package struct Times: Sendable, Hashable {
    /// Between two messages about progress.
    package var progress = 250
    /// Between what a program has printed and the look for a question at its end.
    package var quiet = 30
    /// In which who has connected has to say what it wants, and a shim has to end that was told how.
    package var silence = 30_000
    /// For processes that were asked to end.
    package var patience = 5_000
    /// Between two attempts to kill what is left, and until what a terminal's end reaches has ended.
    package var kill = 200
    /// In which the exit status is kept for somebody to fetch.
    package var unfetched = 60_000

    /// Creates the usual times.
    package init() {}
  }

  let program: KeptProgram
  let times: Times
  /// How many lines of what the program prints are shown.
  let rows: Int
  /// Answers questions of packages in place of people; nil without a file of answers.
  var selections: DebconfSelections?

  var controls: [ConnectionID: Control] = [:]
  var calls: [ConnectionID: ShimSession] = [:]
  var debconfs: [ConnectionID: DebconfConnection] = [:]
  /// Connections of debconf that have said nothing since they began, for long.
  var unheard: Set<ConnectionID> = []
  var memory = DebconfMemory()
  var apts: [ConnectionID: LineBuffer] = [:]

  /// The open questions; people see the first one.
  var questions: [OpenQuestion] = []
  var lastQuestion = 0
  var taken: Set<QuestionID> = []

  var tail = OutputTail()
  /// What has failed, for who looks after the machine: the whole reasons, the first of which count.
  private(set) var troubles: [String] = []
  var display: Display?
  var progressIsDue = false
  var progressIsNews = false

  var programEnding: ProgramEnding?
  var isChildless = false
  var ending = Ending.no
  /// Whether somebody has said that the end of the program is known.
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
  ///   - times: how long things take.
  ///   - selections: answers questions of packages in place of people; nil if there is no file of answers.
  package init(
    _ program: KeptProgram, rows: Int = 24, times: Times = Times(), selections: DebconfSelections? = nil
  ) {
    (self.program, self.rows, self.times, self.selections) = (program, rows, times, selections)
  }

  /// Takes an event.
  ///
  /// - Parameter event: the event.
  /// - Returns: what to do, in order.
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

  /// Keeps a reason for whoever hears of the end.
  mutating func note(_ reason: String) {
    if troubles.count < Self.mostTroubles, !troubles.contains(where: { $0.bytes.equals(reason) }) { troubles.append(reason) }
  }

  /// What people see now.
  var visible: Visible {
    if let programEnding, hasEnded { return .ended(programEnding) }
    if let first = questions.first { return .asking(first.id) }
    return .working
  }

  /// Whether the program has ended, and all that has to end with it. debconf stores empty answers if its connection ends
  /// within a block.
  private var hasEnded: Bool {
    switch ending {
    case .no: isChildless || debconfs.values.allSatisfy(\.mayEnd)
    case .asked, .killed: isChildless
    case .hungUp: true
    }
  }

  /// Whether everybody who is connected knows of the end, and somebody has said so.
  private var isKnown: Bool { isFetched && controls.values.allSatisfy(\.hasEnd) }
}
