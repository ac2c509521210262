import CoordinatorKit

/// A notification to renderers and listeners, in short form.
public enum RecordedEvent: Sendable, Hashable {
  /// A coordinator was started.
  case started(CoordinatorPath)
  /// A screen was dismissed.
  case dismissed(ScreenID, DismissalReason)
  /// A screen was presented: its id, name, style, and layer.
  case presented(ScreenID, String, ScreenStyle, layer: UInt32)
  /// A screen was updated.
  case updated(ScreenID, Set<ScreenKey>)
  /// A screen shows another live value.
  case live(ScreenID, Set<ScreenKey>)
  /// The transition is complete. The top screen is nil if nothing is shown.
  case settled(revision: UInt64, top: ScreenID?)
  /// A coordinator ended.
  case ended(CoordinatorPath, Outcome)

  /// Returns the events of one transition, in the contract's order.
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
