import CoordinatorBus
import CoordinatorKit
import DBus

/// Decides what a mirror of a window does with each thing that it hears: a value without any I/O.
///
/// It begins waiting for a snapshot. Signals that arrive meanwhile are kept, and those that are newer than the snapshot are
/// applied to it. Once it follows, each transition is applied to a copy that becomes the window when Settled arrives, so
/// that nobody ever sees half a transition. Whatever shows that a signal was lost makes it ask for a snapshot again:
/// a revision that was skipped, a screen that it does not know, a Settled whose top is not the top, or one
/// without a change before it.
///
/// A bus that drops signals of a reader that is too slow drops all of them until there is room again. If only one Settled is
/// among them the loss shows. Alone within a transition, a Dismissed below other screens, or an Updated among other changes,
/// would not: nothing in the contract counts signals.
public struct WindowMirrorState: Sendable {
  /// What is to be done next.
  public enum Step: Sendable, Hashable {
    /// Nothing.
    case none
    /// Show this window.
    case paint(MirroredWindow)
    /// Show how far the work on a screen of the painted window has come.
    case progress(screen: UInt64, CoordinatorKit.Progress)
    /// Show what was typed elsewhere on a screen of the painted window and not sent yet.
    case drafted(screen: UInt64, [String: JSONValue])
    /// Tell that somebody else has answered, and then show this window.
    case paintAnswered(Answer, MirroredWindow)
    /// Read a snapshot, and pass it to ``adopt(_:)``.
    case readAgain
    /// The flow tree is gone; `outcome` is what FlowEnded said.
    case ended(outcome: String)
  }

  private enum Phase: Sendable {
    case reading(Buffer)
    case following
    case away
    case ended
  }

  /// The signals that came before the snapshot.
  private struct Buffer: Sendable {
    static let capacity = 4096
    var signals: [RouterSignal] = []
    /// Whether some had to be thrown away, or were lost on their way.
    var isIncomplete = false
  }

  private var phase = Phase.reading(Buffer())
  /// The window at the last revision that settled.
  private var settled = MirroredStack()
  private var revision: UInt64 = 0
  /// Why the tree is held; nil if it is not.
  private var held: String?
  /// `settled` and the signals of the transition that has not settled yet.
  private var working = MirroredStack()
  private var isWorkingChanged = false
  private var painted: MirroredWindow?
  /// Who has set the transition off that has not settled yet, if it was somebody else.
  private var answer: Answer?
  /// The unique name of the client itself, whose own drafts and answers are no news to it.
  private let client: String?

  /// A mirror that waits for its first snapshot.
  ///
  /// - Parameter client: the unique name of the client itself.
  public init(client: String? = nil) { self.client = client }

  /// The last window that was to be painted; nil before the first.
  public var window: MirroredWindow? { painted }

  /// Takes a signal of the Router.
  ///
  /// - Parameter signal: The signal, in the order of arrival.
  /// - Returns: What is to be done.
  public mutating func receive(_ signal: RouterSignal) -> Step {
    switch phase {
    case .away, .ended: return .none
    case .reading(var buffer):
      if buffer.signals.count < Buffer.capacity { buffer.signals.append(signal) } else { buffer.isIncomplete = true }
      phase = .reading(buffer)
      return .none
    case .following: return follow(signal)
    }
  }

  /// Takes the news that signals were lost, for example because the reader was too slow.
  ///
  /// - Returns: What is to be done.
  public mutating func missedSignals() -> Step {
    switch phase {
    case .away, .ended: return .none
    case .reading(var buffer):
      buffer.isIncomplete = true
      phase = .reading(buffer)
      return .none
    case .following: return startReading()
    }
  }

  /// Takes the news that the tree may be held no longer, or for another reason: no signal of the Router tells what it shows then.
  ///
  /// - Returns: What is to be done.
  public mutating func heldChanged() -> Step { missedSignals() }

  /// Takes a snapshot that was asked for after the last ``Step/readAgain``, or for the first time.
  ///
  /// - Parameter snapshot: What Attach or GetAll answered.
  /// - Returns: What is to be done.
  /// - Throws: `MalformedScreen` if the daemon does not keep to the contract. The state is then as it was.
  public mutating func adopt(_ snapshot: WindowSnapshot) throws(MalformedScreen) -> Step {
    guard case .reading(let buffer) = phase else { return .none }
    settled = try MirroredStack(snapshot)
    working = settled
    isWorkingChanged = false
    answer = nil
    revision = snapshot.revision
    held = snapshot.held
    phase = .following
    if buffer.isIncomplete { return startReading() }
    return catchUp(buffer.signals)
  }

  /// Takes the news that nobody owns the daemon's name any more. What comes until ``daemonBack()`` is ignored.
  public mutating func daemonGone() {
    if case .ended = phase { return }
    phase = .away
  }

  /// Takes the news that the daemon's name has an owner again. Its revisions may be lower than those before.
  ///
  /// - Returns: What is to be done: attach and pass the answer to ``adopt(_:)``.
  public mutating func daemonBack() -> Step {
    if case .ended = phase { return .none }
    return startReading()
  }

  /// Takes the news that the root coordinator has ended.
  ///
  /// - Parameter outcome: The outcome that FlowEnded named.
  /// - Returns: What is to be done, once.
  public mutating func flowEnded(outcome: String) -> Step {
    if case .ended = phase { return .none }
    phase = .ended
    return .ended(outcome: outcome)
  }

  private mutating func startReading() -> Step {
    phase = .reading(Buffer())
    return .readAgain
  }

  private mutating func catchUp(_ signals: [RouterSignal]) -> Step {
    let before = painted
    // Progress has no revision: what came before the last signal that the snapshot includes is older than the snapshot.
    let known = signals.lastIndex { $0.revision.map { $0 <= revision } ?? false }
    for (index, signal) in signals.enumerated() where index > known ?? -1 {
      guard follow(signal) != .readAgain else {
        painted = before
        phase = .reading(Buffer(signals: Array(signals[(index + 1)...])))
        return .readAgain
      }
    }
    painted = before
    return paint()
  }

  private mutating func follow(_ signal: RouterSignal) -> Step {
    switch signal {
    case .progress(let screen, let progress): return show(progress, on: screen)
    case .drafted(let screen, let draft, let client): return keep(draft, on: screen, by: client)
    default: break
    }
    guard let number = signal.revision, number > revision else { return .none }
    guard number == revision + 1 else { return startReading() }
    let isSound: Bool
    switch signal {
    case .presented(_, let screen, _): isSound = working.present(screen)
    case .updated(_, let screen, let changed, let removed):
      isSound = working.update(screen, changed: changed, removed: removed)
    case .dismissed(_, let screen, _, _): isSound = working.dismiss(screen)
    case .settled(_, let top): return settle(number, top: top)
    case .answered(_, let answer):
      self.answer = answer.client == client ? nil : answer
      return .none
    case .progress, .drafted: return .none
    }
    isWorkingChanged = true
    return isSound ? .none : startReading()
  }

  private mutating func settle(_ number: UInt64, top: UInt64) -> Step {
    guard isWorkingChanged, working.top == top else { return startReading() }
    settled = working
    isWorkingChanged = false
    revision = number
    defer { answer = nil }
    let step = paint()
    guard let answer, case .paint(let window) = step else { return step }
    return .paintAnswered(answer, window)
  }

  private mutating func keep(_ draft: [String: Value], on screen: UInt64, by client: String) -> Step {
    let isPending = working.keep(draft: draft, on: screen)
    guard settled.keep(draft: draft, on: screen) else { return isPending ? .none : startReading() }
    painted?.screens = settled.screens
    guard client != self.client, let draft = settled.draft(on: screen) else { return .none }
    return .drafted(screen: screen, draft)
  }

  private mutating func show(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> Step {
    let isPending = working.show(progress, on: screen)
    guard settled.show(progress, on: screen) else { return isPending ? .none : startReading() }
    painted?.screens = settled.screens
    return .progress(screen: screen, progress)
  }

  private mutating func paint() -> Step {
    let window = MirroredWindow(revision: revision, screens: settled.screens, held: held)
    guard window != painted else { return .none }
    painted = window
    return .paint(window)
  }
}
