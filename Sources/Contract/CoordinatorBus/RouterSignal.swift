import CoordinatorKit
import DBus

/// A signal of the Router interface, as a value. Screens keep their bus representation.
public enum RouterSignal: Sendable, Hashable {
  /// A screen was presented.
  case presented(revision: UInt64, screen: [String: Value], animated: Bool)
  /// Keys of a screen changed or were removed.
  case updated(revision: UInt64, screen: UInt64, changed: [String: Value], removed: [String])
  /// Keys of a screen changed or were removed, because work reported a value. The signal belongs to no revision.
  case live(screen: UInt64, changed: [String: Value], removed: [String])
  /// The progress of the work on a screen. The signal belongs to no revision.
  case progress(screen: UInt64, progress: Progress)
  /// The stored draft of a screen: values that were entered but not sent yet. The signal belongs to no revision. `client` saved
  /// the draft or sent the form.
  case drafted(screen: UInt64, draft: [String: Value], client: String)
  /// A user's answer caused the transition that follows. Contains the screen and the client that answered it.
  case answered(revision: UInt64, Answer)
  /// A screen was dismissed.
  case dismissed(revision: UInt64, screen: UInt64, reason: String, animated: Bool)
  /// The transition to a revision is complete. `top` is the screen to show, or 0 for none.
  case settled(revision: UInt64, top: UInt64)

  /// The revision that the signal belongs to; nil for live values, progress and drafts.
  public var revision: UInt64? {
    switch self {
    case .presented(let revision, _, _), .updated(let revision, _, _, _), .dismissed(let revision, _, _, _),
      .answered(let revision, _), .settled(let revision, _):
      revision
    case .live, .progress, .drafted: nil
    }
  }

  /// The signal's name in the contract.
  public var member: String {
    switch self {
    case .presented: "Presented"
    case .updated: "Updated"
    case .live: "Live"
    case .progress: "Progress"
    case .drafted: "Drafted"
    case .answered: "Answered"
    case .dismissed: "Dismissed"
    case .settled: "Settled"
    }
  }

  /// The signal's arguments in the contract.
  public var body: [Value] {
    switch self {
    case .presented(let revision, let screen, let animated):
      Self.presentedBody(revision: revision, screen: .vardict(screen), animated: animated)
    case .updated(let revision, let screen, let changed, let removed):
      [.uint64(revision), .uint64(screen), .vardict(changed), .strings(removed)]
    case .live(let screen, let changed, let removed):
      [.uint64(screen), .vardict(changed), .strings(removed)]
    case .progress(let screen, let progress):
      [.uint64(screen), .vardict(progress.vardict)]
    case .drafted(let screen, let draft, let client):
      [.uint64(screen), .vardict(draft), .string(client)]
    case .answered(let revision, let answer):
      [.uint64(revision), .uint64(answer.screen), .string(answer.event), .string(answer.kind), .string(answer.client)]
    case .dismissed(let revision, let screen, let reason, let animated):
      [.uint64(revision), .uint64(screen), .string(reason), .boolean(animated)]
    case .settled(let revision, let top):
      [.uint64(revision), .uint64(top)]
    }
  }

  /// Returns the arguments of ``presented(revision:screen:animated:)`` for a screen that is encoded already.
  ///
  /// - Parameters:
  ///   - revision: the revision.
  ///   - screen: an `a{sv}`, as ``PresentedScreen/sayable`` is.
  ///   - animated: whether renderers may animate it.
  /// - Returns: the arguments.
  public static func presentedBody(revision: UInt64, screen: Value, animated: Bool) -> [Value] {
    [.uint64(revision), screen, .boolean(animated)]
  }

  /// Decodes a signal, or returns nil if it is not one of the Router interface or its arguments do not match the
  /// contract.
  ///
  /// - Parameters:
  ///   - member: the signal's name.
  ///   - body: its arguments.
  public init?(member: String, body: [Value]) {
    switch (member, body.count) {
    case ("Presented", 3):
      guard let revision = body[0].uint64, let screen = body[1].vardict, let animated = body[2].bool else { return nil }
      self = .presented(revision: revision, screen: screen, animated: animated)
    case ("Updated", 4):
      guard let revision = body[0].uint64, let screen = body[1].uint64, let changed = body[2].vardict,
        let removed = body[3].elements
      else { return nil }
      self = .updated(
        revision: revision, screen: screen, changed: changed, removed: removed.compactMap(\.string))
    case ("Live", 3):
      guard let screen = body[0].uint64, let changed = body[1].vardict, let removed = body[2].elements else { return nil }
      self = .live(screen: screen, changed: changed, removed: removed.compactMap(\.string))
    case ("Progress", 2):
      guard let screen = body[0].uint64, let progress = body[1].vardict.flatMap({ try? Progress(vardict: $0) }) else {
        return nil
      }
      self = .progress(screen: screen, progress: progress)
    case ("Drafted", 3):
      guard let screen = body[0].uint64, let draft = body[1].vardict, let client = body[2].string else { return nil }
      self = .drafted(screen: screen, draft: draft, client: client)
    case ("Answered", 5):
      guard let revision = body[0].uint64, let screen = body[1].uint64, let event = body[2].string,
        let kind = body[3].string, let client = body[4].string
      else { return nil }
      self = .answered(revision: revision, Answer(screen: screen, event: event, kind: kind, client: client))
    case ("Dismissed", 4):
      guard let revision = body[0].uint64, let screen = body[1].uint64, let reason = body[2].string,
        let animated = body[3].bool
      else { return nil }
      self = .dismissed(revision: revision, screen: screen, reason: reason, animated: animated)
    case ("Settled", 2):
      guard let revision = body[0].uint64, let top = body[1].uint64 else { return nil }
      self = .settled(revision: revision, top: top)
    default: return nil
    }
  }
}

/// The screen that was answered, and the client that answered it.
public struct Answer: Sendable, Hashable {
  /// The id of the screen that was answered.
  public var screen: UInt64
  /// The event that was delegated; empty for Back.
  public var event: String
  /// The kind of renderer that the client attached as, such as "terminal"; empty if it is not attached.
  public var kind: String
  /// The client's unique name on the bus.
  public var client: String
  /// Distinguishes the client from others of its kind, such as "pts/3, anna"; empty if unknown. Not part of the signal: the
  /// receiver reads it from the property Renderers.
  public var name = ""

  /// Creates an answer.
  public init(screen: UInt64, event: String, kind: String, client: String) {
    self.screen = screen
    self.event = event
    self.kind = kind
    self.client = client
  }
}
