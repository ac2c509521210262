import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// Plays a flow tree by an answers file: a value that decides, without any I/O.
///
/// Whoever drives it passes on everything that happens, and carries out the effects in their order.
struct AnswerPlayer: Sendable {
  /// Something that happened.
  enum Input: Sendable, Hashable {
    /// The tree shows something else.
    case window(MirroredWindow)
    /// The daemon took the last move; the tree is at this revision now.
    case accepted(revision: UInt64)
    /// The daemon did not take it.
    case refused(ClientError)
    /// It was not sent, since the value of a field could not be read.
    case unreadable(field: String, reason: String)
    /// The daemon is back. A window follows if it is another one than before.
    case daemonBack
    /// The person who was asked has answered.
    case answeredByHand(revision: UInt64)
    /// It has been waited long enough for an item of a screen's list.
    case waitedLongEnough(screen: UInt64)
    /// The flow has ended.
    case ended(FlowEnd)
  }

  /// Something to do.
  enum Effect: Sendable, Hashable {
    /// Make a move, and answer with `accepted`, `refused` or `unreadable`. The same request is made only once, whatever happens.
    case send(AnswerMove, request: String)
    /// Let a person answer the screen on top, and answer with `answeredByHand`. It comes again for each new window.
    case ask(MirroredWindow)
    /// Wait for an item that is not in the list of a screen, and say with `waitedLongEnough` when there is no more time for that.
    case wait(screen: UInt64, item: String, AnswerKey)
    /// Stop; the flow has not ended.
    case stop(ToolFailure)
    /// The flow has ended, and these answers were not asked for.
    case end(FlowEnd, unused: [AnswerKey])
  }

  private enum Phase: Sendable {
    /// For a window of at least this revision; or, without one, for the next.
    case waiting(for: UInt64?)
    case sending(Move)
    case asking(AnswerBook.Place, screen: UInt64)
    case over
  }

  private struct Move: Sendable {
    var effect: Effect
    /// Nothing if the screen's own proposal was taken.
    var entry: AnswerBook.Entry?
    var key: AnswerKey
    /// What was on top when it was decided on.
    var window: MirroredWindow
    /// Whether the daemon went away without an answer, and whether it has come back meanwhile.
    var isUnanswered = false
    var isDaemonBack = false
  }

  /// An item that may still come into its list.
  private struct Awaited: Sendable, Hashable {
    var screen: UInt64
    var item: String
    var key: AnswerKey
  }

  /// So often a screen is answered in the same way before that is taken for a loop.
  static let mostRepetitions = 100

  private var book: AnswerBook
  private let policy: MissingPolicy
  private let canAsk: Bool
  private let names: FlowNames
  /// What the requests of this run begin with.
  private let requests: String
  private var phase = Phase.waiting(for: 0)
  private var window: MirroredWindow?
  private var awaited: Awaited?
  /// The screen that was answered last.
  private var lastAnswered: UInt64?
  private var moves = 0
  private var proposals: [AnswerBook.Place: Int] = [:]

  /// A player that waits for its first window.
  ///
  /// - Parameters:
  ///   - file: The answers.
  ///   - policy: What to do where there is none.
  ///   - canAsk: Whether somebody is there to be asked.
  ///   - names: The flows of the coordinators.
  ///   - requests: Unique to this run: 1 to 40 of `[A-Za-z0-9_-]`.
  init(_ file: AnswersFile, policy: MissingPolicy, canAsk: Bool, names: FlowNames, requests: String) {
    book = AnswerBook(file)
    self.policy = policy
    self.canAsk = canAsk
    self.names = names
    self.requests = requests
  }

  /// Takes something that happened.
  mutating func handle(_ input: Input) -> [Effect] {
    switch (phase, input) {
    case (.over, _): return []
    case (_, .ended(let end)):
      // The end is told before the reply to the move that led to it.
      if case .sending(let move) = phase, let entry = move.entry { book.use(entry) }
      phase = .over
      return [.end(end, unused: book.unused)]
    case (_, .window(let window)): return take(window)
    case (.sending(let move), .accepted(let revision)):
      if let entry = move.entry { book.use(entry) }
      return wait(for: revision)
    case (.sending(let move), .refused(let error)): return refused(error, move)
    case (.sending(let move), .unreadable(let field, let reason)): return stop(move.key, "\(field): \(reason)")
    case (.sending(var move), .daemonBack):
      move.isDaemonBack = true
      return makeAgain(move)
    case (.waiting, .daemonBack):
      phase = .waiting(for: 0)
      return decide()
    case (.waiting, .waitedLongEnough(let screen)): return giveUp(screen)
    case (.asking(let place, _), .answeredByHand(let revision)):
      book.skipUnknown(at: place)
      return wait(for: revision)
    default: return []
    }
  }

  private mutating func take(_ window: MirroredWindow) -> [Effect] {
    self.window = window
    switch phase {
    case .waiting(let revision): return window.revision >= revision ?? 0 ? decide() : []
    case .asking(let place, let screen):
      if window.top?.id != screen { book.skipUnknown(at: place) }
      let effects = decide()
      return effects.isEmpty ? [.ask(window)] : effects
    case .sending, .over: return []
    }
  }

  private mutating func wait(for revision: UInt64) -> [Effect] {
    phase = .waiting(for: revision)
    guard let window, window.revision >= revision else { return [] }
    return decide()
  }

  // MARK: Deciding

  private mutating func decide() -> [Effect] {
    if let held = window?.held { return isHeld(because: held) }
    let before = awaited
    awaited = nil
    // What is busy is waited for: it may take what it was answered as wrong, and ask again. A list may be busy as long as it is there,
    // with looking for more, and can be chosen from meanwhile.
    guard let window, let top = window.top, top.screen.progress == nil || (top.screen.items != nil && lastAnswered != top.id)
    else {
      return waitForNext()
    }
    let isBusy = top.screen.progress != nil
    let place = AnswerBook.Place(
      flows: names.path(to: top.coordinator), coordinator: top.coordinator.string, screen: top.screen.name)
    let reading = AnswerReading(screen: top, revision: window.revision, fillsIn: policy == .default)
    let entry: AnswerBook.Entry
    do {
      entry = try book.answer(at: place)
    } catch {
      return isBusy ? waitForNext() : missing(error.key, fields: [], place, reading)
    }
    guard book.repetitions(of: entry) < Self.mostRepetitions else { return loops(entry.key) }
    do {
      let move = try reading.move(entry.answer)
      return isBusy && !move.isSelection ? waitForNext() : send(move, entry: entry, key: entry.key)
    } catch {
      if case .absent(let item) = error { return wait(for: Awaited(screen: top.id, item: item, key: entry.key), before) }
      return isBusy ? waitForNext() : refuse(error, entry.key, place, reading)
    }
  }

  private mutating func refuse(
    _ problem: AnswerProblem, _ key: AnswerKey, _ place: AnswerBook.Place, _ reading: AnswerReading
  ) -> [Effect] {
    switch problem {
    case .missing(let fields): missing(key, fields: fields, place, reading)
    case .wrong(let field, let reason): stop(key, (field.map { "\($0): " } ?? "") + reason, offer: reading.screen)
    case .absent(let item): stop(key, "select: '\(item)' is not one of the items", offer: reading.screen)
    }
  }

  private mutating func waitForNext() -> [Effect] {
    phase = .waiting(for: nil)
    return []
  }

  /// Waits for an item. The time for that begins when it is missed first.
  private mutating func wait(for item: Awaited, _ before: Awaited?) -> [Effect] {
    phase = .waiting(for: nil)
    awaited = item
    return before == item ? [] : [.wait(screen: item.screen, item: item.item, item.key)]
  }

  private mutating func giveUp(_ screen: UInt64) -> [Effect] {
    guard let awaited, awaited.screen == screen else { return [] }
    return stop(awaited.key, "select: '\(awaited.item)' is not one of the items", offer: window?.top)
  }

  private mutating func missing(
    _ key: AnswerKey, fields: [String], _ place: AnswerBook.Place, _ reading: AnswerReading
  ) -> [Effect] {
    switch policy {
    case .ask where canAsk:
      phase = .asking(place, screen: reading.screen.id)
      return window.map { [.ask($0)] } ?? []
    case .default:
      guard fields.isEmpty, let proposal = reading.proposal else { break }
      proposals[place, default: 0] += 1
      guard proposals[place, default: 0] <= Self.mostRepetitions else { return loops(key) }
      return send(proposal, entry: nil, key: key)
    case .ask, .fail: break
    }
    phase = .over
    return [.stop(ToolFailure(missing: key, fields: fields, on: reading.screen))]
  }

  private mutating func send(_ move: AnswerMove, entry: AnswerBook.Entry?, key: AnswerKey) -> [Effect] {
    guard let window else { return [] }
    moves += 1
    lastAnswered = window.top?.id
    let effect = Effect.send(move, request: "\(requests)-\(moves)")
    phase = .sending(Move(effect: effect, entry: entry, key: key, window: window))
    return [effect]
  }

  // MARK: Refusals

  private mutating func refused(_ error: ClientError, _ move: Move) -> [Effect] {
    switch error {
    // Somebody else was faster, or the flow itself: what is there now decides.
    case .refused(.staleScreen), .refused(.unknownScreen), .refused(.flowFailed): return lookAgain(after: move)
    case _ where error.isUnknownObject: return lookAgain(after: move)
    case _ where error.isDaemonGone:
      var move = move
      move.isUnanswered = true
      return makeAgain(move)
    case .refused(.invalidPayload(_, let reasons)):
      let lines = reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return stop(move.key, lines: lines)
    case .refused: return stop(move.key, error.description)
    default:
      phase = .over
      return [.stop(ToolFailure(error))]
    }
  }

  /// Whether it was taken before the daemon went away is not known; made again, the request is answered as the first time.
  private mutating func makeAgain(_ move: Move) -> [Effect] {
    guard move.isUnanswered, move.isDaemonBack else {
      phase = .sending(move)
      return []
    }
    var again = move
    (again.isUnanswered, again.isDaemonBack) = (false, false)
    phase = .sending(again)
    return [move.effect]
  }

  private mutating func lookAgain(after move: Move) -> [Effect] {
    phase = .waiting(for: nil)
    return window == move.window ? [] : decide()
  }

  private mutating func isHeld(because reason: String) -> [Effect] {
    phase = .over
    return [.stop(ToolFailure(.refused(.held(because: reason))))]
  }

  private mutating func loops(_ key: AnswerKey) -> [Effect] {
    stop(key, "was used \(Self.mostRepetitions) times, and its screen comes again and again")
  }

  private mutating func stop(_ key: AnswerKey, _ reason: String, offer: PresentedScreen? = nil) -> [Effect] {
    stop(key, lines: [reason], offer: offer)
  }

  private mutating func stop(_ key: AnswerKey, lines: [String], offer: PresentedScreen? = nil) -> [Effect] {
    phase = .over
    return [.stop(ToolFailure(wrong: key, lines, offer: offer))]
  }
}
