/// A queue of the events that the renderer has not read yet. Newer events replace older ones that they supersede, so
/// the queue stays short.
struct WindowEventQueue: Sendable {
  private var events: [WindowEvent] = []
  /// Whether every event is kept. Meant for a reader that records the history and drains the queue quickly.
  private let isComplete: Bool

  init(isComplete: Bool = false) { self.isComplete = isComplete }

  /// Appends an event, and removes the queued events that it supersedes.
  mutating func append(_ event: WindowEvent) {
    guard !isComplete else {
      events.append(event)
      return
    }
    switch event {
    case .window:
      events.removeAll { $0.isInWindow }
    case .progress(let screen, _):
      events.removeAll { if case .progress(screen, _) = $0 { true } else { false } }
    case .drafted(let screen, _):
      events.removeAll { if case .drafted(screen, _) = $0 { true } else { false } }
    case .language:
      events.removeAll { if case .language = $0 { true } else { false } }
    case .typing(let screen, _):
      events.removeAll { if case .typing(screen, _) = $0 { true } else { false } }
    case .participants:
      events.removeAll { if case .participants = $0 { true } else { false } }
    case .answered:
      events.removeAll { if case .answered = $0 { true } else { false } }
    case .daemonBack:
      // A reader that has not seen the loss does not need to see the recovery.
      if let lost = events.lastIndex(of: .daemonLost) {
        events.remove(at: lost)
        return
      }
    case .daemonLost: break
    case .ended: events.removeAll { $0.isInWindow && !$0.isWindow }
    }
    events.append(event)
  }

  /// Removes and returns the oldest event, or returns nil if the queue is empty.
  mutating func popFirst() -> WindowEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

extension WindowEvent {
  fileprivate var isWindow: Bool { if case .window = self { true } else { false } }

  /// Whether a newer window supersedes this event.
  fileprivate var isInWindow: Bool {
    switch self {
    case .window, .progress, .drafted, .language: true
    case .typing, .participants, .answered, .daemonLost, .daemonBack, .ended: false
    }
  }
}
