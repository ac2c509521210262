/// The error that a flow tree returns for a call. Except for ``failed(_:)``, the tree is unchanged.
public enum CallError: Error, Sendable, Hashable {
  /// The tree has no such coordinator, or no longer has it.
  case unknownCoordinator(CoordinatorPath)
  /// The request key was already used for a different call.
  case requestReused(String)
  /// The tree never had a screen with that id.
  case unknownScreen(ScreenID)
  /// The screen existed, but cannot be acted on now.
  case staleScreen(ScreenID, Staleness)
  /// The screen does not offer that event now, or no coordinator handles it.
  case unknownEvent(UnknownEvent)
  /// The payload breaks the screen's schema: reasons by field.
  case invalidPayload([String: String])
  /// A coordinator refused the call.
  case refused(Refusal)
  /// A coordinator that would need to handle the call is held, for the given reason; nothing has changed.
  case held(CoordinatorPath, String)
  /// The process that serves a coordinator's flow has not decided on the call; nothing has changed.
  case provider(ProviderTrouble)
  /// The coordinator failed while it handled the call, and has ended.
  case failed(Failure)
  /// The transition could not be stored; nothing has changed.
  case notStored(String)
}

/// Why a screen that was shown cannot be acted on. The raw values are the words of the D-Bus contract.
public enum Staleness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another screen is on top of it.
  case covered
  /// It was dismissed.
  case gone
  /// It belongs to a coordinator other than the one that was called.
  case elsewhere
  /// It was updated after the revision that the user was looking at.
  case changed
}

/// An event that a screen does not offer, or that no coordinator handles.
public struct UnknownEvent: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the event.
  public let event: String
  /// The coordinator that the event was delegated to.
  public let coordinator: CoordinatorPath
  /// The name of the screen that it came from; nil if it came from none.
  public let screen: String?
  /// The events that the screen offers; nil if it does offer this one, and no coordinator handles it.
  public let offered: [String]?

  /// The maximum number of events that a description lists.
  private static let mostNamed = 20

  /// Describes an event that cannot be handled.
  ///
  /// - Parameters:
  ///   - event: the name of the event.
  ///   - coordinator: the coordinator that it was delegated to.
  ///   - screen: the name of the screen that it came from; nil if it came from none.
  ///   - offered: the events that the screen offers; nil if it does offer this one.
  public init(_ event: String, coordinator: CoordinatorPath, screen: String? = nil, offered: [String]? = nil) {
    self.event = event
    self.coordinator = coordinator
    self.screen = screen
    self.offered = offered
  }

  /// A message on one line, for users: the event, the screen and what it offers, and the coordinator.
  public var description: String {
    switch (screen, offered) {
    case (let screen?, let offered?):
      "the screen '\(screen)' of \(coordinator) does not offer the event '\(event)'; it offers \(Self.list(offered))"
    case (let screen?, nil):
      "the screen '\(screen)' of \(coordinator) offers the event '\(event)', but no coordinator handles it"
    case (nil, _): "neither \(coordinator) nor a coordinator above it handles the event '\(event)'"
    }
  }

  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "none" }
    let named = names.prefix(mostNamed).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > mostNamed ? "\(named) and \(names.count - mostNamed) more" : named
  }
}

/// The error that a handler throws to refuse a call. The transition is dropped, the caller receives the refusal, and no
/// coordinator ends (rule 3).
///
/// ```swift
/// guard !state.basket.isEmpty else { throw Refusal.denied("the basket is empty") }
/// ```
public enum Refusal: Error, Sendable, Hashable {
  /// A guard refused the call, for the given reason.
  case denied(String)
  /// The payload is invalid in a way that the schema cannot express; the reasons are keyed by field.
  case invalidPayload([String: String])
  /// The flow does not accept its input; the reasons are keyed by input key.
  case invalidInput([String: String])
  /// A limit is exceeded.
  case limitExceeded(String)
  /// The screen or the coordinator cannot be left this way.
  case notDismissable(String)
  /// No flow has that name.
  case unknownFlow(String)
}

extension Refusal {
  /// The refusal of a call that starts an internal flow; see ``FlowDescription/isInternal``.
  package static func isInternal(_ flow: String) -> Refusal {
    .denied("the flow \(flow) is internal: only other flows start it")
  }

  /// Whether a limit is exceeded.
  var isLimit: Bool { if case .limitExceeded = self { true } else { false } }

  /// The refusal of an event whose handlers endlessly trigger further handlers (rule 1).
  static func tooManyHandlers(_ limits: Limits) -> Refusal {
    .limitExceeded("an event must not trigger more than \(limits.maxHandlers) handlers")
  }
}

extension Refusal: CustomStringConvertible {
  /// A message on one line, for users.
  public var description: String {
    switch self {
    case .denied(let reason), .limitExceeded(let reason), .notDismissable(let reason): reason
    case .invalidPayload(let reasons): "the payload is not valid: \(Self.list(reasons))"
    case .invalidInput(let reasons): "the flow does not accept this input: \(Self.list(reasons))"
    case .unknownFlow(let name): "the catalogue has no flow '\(name)'"
    }
  }

  private static func list(_ reasons: [String: String]) -> String {
    reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }
}
