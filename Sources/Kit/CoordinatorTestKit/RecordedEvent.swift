import CoordinatorKit

/// One thing that renderers and listeners are told, in short.
public enum RecordedEvent: Sendable, Hashable {
  /// A coordinator was started.
  case started(CoordinatorPath)
  /// A screen was taken down.
  case dismissed(ScreenID, DismissalReason)
  /// A screen was put up: its number, its name, how and where.
  case presented(ScreenID, String, ShownScreen.Style, layer: UInt32)
  /// A screen shows something else.
  case updated(ScreenID, Set<ScreenKey>)
  /// The transition is complete; nothing is shown if there is no top screen.
  case settled(revision: UInt64, top: ScreenID?)
  /// A coordinator ended.
  case ended(CoordinatorPath, Outcome)

  /// What one transition tells, in the contract's order.
  static func events(of publication: Publication) -> [RecordedEvent] {
    var events: [RecordedEvent] = publication.started.map { .started($0.path) }
    events += publication.dismissed.map { .dismissed($0.screen, $0.reason) }
    events += publication.presented.map {
      .presented($0.screen.id, $0.screen.content.name, $0.screen.style, layer: $0.screen.layer)
    }
    events += publication.updated.map { .updated($0.screen.id, $0.keys) }
    if publication.changesScreens {
      events.append(.settled(revision: publication.state.revision, top: publication.state.window.top?.id))
    }
    events += publication.ended.map { .ended($0.path, $0.outcome) }
    return events
  }
}
