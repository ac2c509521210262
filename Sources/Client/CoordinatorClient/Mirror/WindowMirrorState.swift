import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// Decides how a window mirror reacts to each signal. A value without I/O.
///
/// The state starts by waiting for a snapshot. Signals that arrive meanwhile are buffered, and those newer than the
/// snapshot are applied to it. From then on, each transition is applied to a copy that replaces the window when Settled
/// arrives, so half a transition is never visible. Any sign of a lost signal makes the state ask for a new snapshot: a
/// skipped revision, an unknown screen, a Settled whose top is not the top screen, or a Settled that no change
/// precedes.
///
/// A bus that drops the signals of a slow reader drops all of them until there is room again. The loss is detected if a
/// Settled is among them. It is not detected if, within one transition, only the Dismissed of a covered screen or one
/// of several Updated is lost: the contract does not number signals.
public struct WindowMirrorState: Sendable {
  /// The action to perform next.
  public enum Step: Sendable, Hashable {
    /// Do nothing.
    case none
    /// Show this window.
    case paint(MirroredWindow)
    /// Show the progress of a screen of the painted window.
    case progress(screen: UInt64, CoordinatorKit.Progress)
    /// Show the draft that another client saved for a screen of the painted window.
    case drafted(screen: UInt64, [String: JSONValue])
    /// Note the language of the painted window.
    case language(LanguageTag)
    /// Report that another client has answered, then show this window.
    case paintAnswered(Answer, MirroredWindow)
    /// Read a snapshot and pass it to ``adopt(_:)``.
    case readAgain
    /// The flow tree has ended; `outcome` is the outcome that FlowEnded reported.
    case ended(outcome: String)
  }

  private enum Phase: Sendable {
    case reading(Buffer)
    case following
    case away
    case ended
  }

  /// The signals that arrived before the snapshot.
  private struct Buffer: Sendable {
    static let capacity = 4096
    var signals: [RouterSignal] = []
    /// Whether signals were discarded or lost.
    var isIncomplete = false
    /// The language that was announced, if any. It overrides the snapshot's, which may be older; if that is newer, its
    /// announcement follows.
    var language: LanguageTag?
  }

  private var phase = Phase.reading(Buffer())
  /// The window at the last settled revision.
  private var settled = MirroredStack()
  private var revision: UInt64 = 0
  /// The reason why the tree is held, or nil if it is not.
  private var held: String?
  private var language = LanguageTag.english
  /// `settled` plus the signals of the transition that has not settled yet.
  private var working = MirroredStack()
  private var isWorkingChanged = false
  private var painted: MirroredWindow?
  /// The answer that caused the transition that has not settled yet; nil if it came from this client.
  private var answer: Answer?
  /// The unique name of this client. Its own drafts and answers are not reported to it.
  private let client: String?

  /// Creates a state that waits for its first snapshot.
  ///
  /// - Parameter client: unique name of this client.
  public init(client: String? = nil) { self.client = client }

  /// The last window that was to be painted, or nil before the first one.
  public var window: MirroredWindow? { painted }

  /// Handles a signal of the Router.
  ///
  /// - Parameter signal: signal, passed in the order of arrival.
  /// - Returns: the action to perform.
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

  /// Handles the loss of signals, for example because the reader was too slow.
  ///
  /// - Returns: the action to perform.
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

  /// Handles a change of whether, or why, the tree is held. No Router signal reports the screens that are visible
  /// afterwards.
  ///
  /// - Returns: the action to perform.
  public mutating func heldChanged() -> Step { missedSignals() }

  /// Handles a change of the language of the tree.
  ///
  /// - Parameter new: language that PropertiesChanged announced. The screens in that language have arrived before.
  /// - Returns: the action to perform.
  public mutating func languageChanged(to new: LanguageTag) -> Step {
    switch phase {
    case .away, .ended: return .none
    case .reading(var buffer):
      buffer.language = new
      phase = .reading(buffer)
      return .none
    case .following:
      language = new
      guard painted != nil, painted?.language != new else { return .none }
      painted?.language = new
      return .language(new)
    }
  }

  /// Adopts the first snapshot, or the one requested by the last ``Step/readAgain``.
  ///
  /// - Parameter snapshot: reply of Attach or GetAll.
  /// - Returns: the action to perform.
  /// - Throws: `MalformedScreen` if the snapshot violates the contract. The state is then unchanged.
  public mutating func adopt(_ snapshot: WindowSnapshot) throws(MalformedScreen) -> Step {
    guard case .reading(let buffer) = phase else { return .none }
    settled = try MirroredStack(snapshot)
    working = settled
    isWorkingChanged = false
    answer = nil
    revision = snapshot.revision
    held = snapshot.held
    language = buffer.language ?? snapshot.language
    phase = .following
    if buffer.isIncomplete { return startReading() }
    return catchUp(buffer.signals)
  }

  /// Handles the loss of the owner of the daemon's name. All signals are ignored until ``daemonBack()``.
  public mutating func daemonGone() {
    if case .ended = phase { return }
    phase = .away
  }

  /// Handles a new owner of the daemon's name. Its revisions may be lower than the previous ones.
  ///
  /// - Returns: the action to perform: attach, and pass the reply to ``adopt(_:)``.
  public mutating func daemonBack() -> Step {
    if case .ended = phase { return .none }
    return startReading()
  }

  /// Handles the end of the root coordinator.
  ///
  /// - Parameter outcome: outcome that FlowEnded reported.
  /// - Returns: the action to perform; ``Step/none`` after the first call.
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
    // Progress carries no revision. Any signal before the last one that the snapshot includes is older than the snapshot.
    let known = signals.lastIndex { $0.revision.map { $0 <= revision } ?? false }
    for (index, signal) in signals.enumerated() where index > known ?? -1 {
      guard follow(signal) != .readAgain else {
        painted = before
        phase = .reading(Buffer(signals: Array(signals[(index + 1)...]), language: language))
        return .readAgain
      }
    }
    painted = before
    return paint()
  }

  private mutating func follow(_ signal: RouterSignal) -> Step {
    switch signal {
    case .live(let screen, let changed, let removed): return show(live: changed, removed: removed, on: screen)
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
    case .live, .progress, .drafted: return .none
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

  private mutating func show(live changed: [String: Value], removed: [String], on screen: UInt64) -> Step {
    let isPending = working.update(screen, changed: changed, removed: removed)
    guard settled.update(screen, changed: changed, removed: removed) else { return isPending ? .none : startReading() }
    return paint()
  }

  private mutating func show(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> Step {
    let isPending = working.show(progress, on: screen)
    guard settled.show(progress, on: screen) else { return isPending ? .none : startReading() }
    painted?.screens = settled.screens
    return .progress(screen: screen, progress)
  }

  private mutating func paint() -> Step {
    // If only a coordinator is held, the tree still has screens, and that coordinator's screens say that it is held.
    let window = MirroredWindow(
      revision: revision, screens: settled.screens, held: settled.screens.isEmpty ? held : nil, language: language)
    guard window != painted else { return .none }
    painted = window
    return .paint(window)
  }
}
