import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Plays a flow tree according to an answers file. A value that makes the decisions, without I/O.
///
/// The driver passes on everything that happens and performs the effects in order.
package struct AnswerPlayer: Sendable {
  /// An event from the driver.
  package enum Input: Sendable, Hashable {
    /// The window of the tree has changed.
    case window(MirroredWindow)
    /// The daemon accepted the last move; the tree is now at this revision.
    case accepted(revision: UInt64)
    /// The daemon refused the last move.
    case refused(ClientError)
    /// The last move was not sent because the value of a field could not be read.
    case unreadable(field: String, reason: String)
    /// The daemon is back. A window follows if it differs from the previous one.
    case daemonBack
    /// The user who was asked has answered.
    case answeredByHand(revision: UInt64)
    /// The time to wait for a change of a screen has passed.
    case waitedLongEnough(screen: UInt64)
    /// The flow has ended.
    case ended(FlowEnd)
  }

  /// An effect to perform.
  package enum Effect: Sendable, Hashable {
    /// Make a move, and report `accepted`, `refused` or `unreadable`. A request key is never reused for a different
    /// move.
    case send(AnswerMove, request: String)
    /// Let the user answer the top screen, and report `answeredByHand`. Emitted again for each new window.
    case ask(MirroredWindow)
    /// Wait, and report `waitedLongEnough` when the time has passed.
    case wait(Awaited)
    /// Stop; the flow has not ended.
    case stop(ToolFailure)
    /// Stop, because this coordinator is held.
    case stopHeld(ObjectPath)
    /// The flow has ended; the given answers were not used.
    case end(FlowEnd, unused: [AnswerKey])
  }

  private enum Phase: Sendable {
    /// Waiting for a window of at least this revision, or for the next window if there is none.
    case waiting(for: UInt64?)
    case sending(Move)
    case asking(AnswerBook.Place, screen: UInt64)
    case over
  }

  private struct Move: Sendable {
    var effect: Effect
    /// Nil if the move is the screen's own proposal.
    var entry: AnswerBook.Entry?
    var key: AnswerKey
    /// The window that the decision was based on.
    var window: MirroredWindow
    /// Whether the daemon went away without a reply, and whether it has come back since.
    var isUnanswered = false
    var isDaemonBack = false
  }

  /// A change of a screen that may still come.
  package struct Awaited: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
      /// An item is added to the list.
      case item(String, AnswerKey)
      /// The coordinator is no longer held: the program or script behind it works again.
      case release(ObjectPath)
    }

    package var screen: UInt64
    var change: Change
  }

  /// The number of times that a screen is answered in the same way before it is considered a loop.
  static let mostRepetitions = 100

  private var book: AnswerBook
  private let policy: MissingPolicy
  private let canAsk: Bool
  private let names: FlowNames
  /// The prefix of the request keys of this run.
  private let requests: String
  private var phase = Phase.waiting(for: 0)
  private var window: MirroredWindow?
  private var awaited: Awaited?
  /// The id of the screen that was answered last.
  private var lastAnswered: UInt64?
  private var moves = 0
  private var proposals: [AnswerBook.Place: Int] = [:]

  /// Creates a player that waits for its first window.
  ///
  /// - Parameters:
  ///   - file: answers file.
  ///   - policy: what to do when an answer is missing.
  ///   - canAsk: whether there is a user to ask.
  ///   - names: names of the coordinators' flows.
  ///   - requests: prefix of the request keys, unique to this run: 1 to 40 characters of `[A-Za-z0-9_-]`.
  package init(_ file: AnswersFile, policy: MissingPolicy, canAsk: Bool, names: FlowNames, requests: String) {
    book = AnswerBook(file)
    self.policy = policy
    self.canAsk = canAsk
    self.names = names
    self.requests = requests
  }

  /// Handles an input, and returns the effects to perform.
  package mutating func handle(_ input: Input) -> [Effect] {
    switch (phase, input) {
    case (.over, _): return []
    case (_, .ended(let end)):
      // The end is reported before the reply to the move that caused it.
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
    // The daemon may have accepted a move before this report: the window is then older than the move.
    case (.waiting(let revision), .daemonBack): return wait(for: revision ?? 0)
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
    // Waits for busy screens: after its work, the screen may reject the answer and ask again. A list may stay busy while it
    // searches for more items; one of its items can be selected meanwhile.
    guard let window, let top = window.top else { return waitForNext() }
    if top.isHeld { return wait(for: Awaited(screen: top.id, change: .release(top.coordinator)), before) }
    guard top.screen.progress == nil || (top.screen.items != nil && lastAnswered != top.id) else { return waitForNext() }
    let isBusy = top.screen.progress != nil
    let place = AnswerBook.Place(
      flows: names.path(to: top.coordinator), coordinator: top.coordinator.string, screen: top.screen.name)
    let reading = AnswerReading(screen: top, revision: window.revision, fillsIn: policy == .default, others: window.screens)
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
      if case .absent(let item) = error {
        return wait(for: Awaited(screen: top.id, change: .item(item, entry.key)), before)
      }
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

  /// Waits for a change. The waiting time starts when the change is first found missing.
  private mutating func wait(for change: Awaited, _ before: Awaited?) -> [Effect] {
    phase = .waiting(for: nil)
    awaited = change
    return before == change ? [] : [.wait(change)]
  }

  private mutating func giveUp(_ screen: UInt64) -> [Effect] {
    guard let awaited, awaited.screen == screen else { return [] }
    switch awaited.change {
    case .item(let item, let key): return stop(key, "select: '\(item)' is not one of the items", offer: window?.top)
    case .release(let coordinator):
      phase = .over
      return [.stopHeld(coordinator)]
    }
  }

  private mutating func missing(
    _ key: AnswerKey, fields: [String], _ place: AnswerBook.Place, _ reading: AnswerReading
  ) -> [Effect] {
    // The screen's own proposal stands under the same key as the answer that the file does not have.
    let refused = proposals[place] == nil ? key.former : key
    switch policy {
    case .ask where canAsk, .wait:
      phase = .asking(place, screen: reading.screen.id)
      return window.map { [.ask($0)] } ?? []
    case .default:
      guard fields.isEmpty, let proposal = reading.proposal else { break }
      // The values that the screen shows now are those that it has refused.
      guard reading.screen.screen.errors.isEmpty || refused == nil else { break }
      proposals[place, default: 0] += 1
      guard proposals[place, default: 0] <= Self.mostRepetitions else { return loops(key) }
      return send(proposal, entry: nil, key: key)
    case .ask, .fail: break
    }
    phase = .over
    return [.stop(ToolFailure(missing: key, fields: fields, after: refused, on: reading.screen, among: reading.others))]
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
    // Another client or the flow itself was faster. The current window decides.
    case .refused(.staleScreen), .refused(.unknownScreen), .refused(.flowFailed): return lookAgain(after: move)
    case _ where error.isUnknownObject: return lookAgain(after: move)
    case _ where error.leavesUnanswered:
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

  /// Makes the move again. It is unknown whether the daemon accepted it before it went away; the same request key
  /// yields the same reply.
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
    stop(key, "was used \(Self.mostRepetitions) times, but its screen keeps coming back")
  }

  private mutating func stop(_ key: AnswerKey, _ reason: String, offer: PresentedScreen? = nil) -> [Effect] {
    stop(key, lines: [reason], offer: offer)
  }

  private mutating func stop(_ key: AnswerKey, lines: [String], offer: PresentedScreen? = nil) -> [Effect] {
    phase = .over
    return [.stop(ToolFailure(wrong: key, lines, offer: offer, among: window?.screens ?? []))]
  }
}

extension PresentedScreen {
  /// Whether the screen says that its coordinator is held.
  fileprivate var isHeld: Bool { screen.messages.contains { $0.code == ScreenMessage.held.code } }
}
