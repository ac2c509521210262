/// Holds what a renderer has not taken yet, and never more than a handful: a newer window stands for those before it.
struct WindowEventQueue: Sendable {
  private var events: [WindowEvent] = []
  /// Whether every event is kept, for a reader who wants to know how things came about, and is quick to take them.
  private let isComplete: Bool

  init(isComplete: Bool = false) { self.isComplete = isComplete }

  /// Puts an event at the end, and drops those that it makes pointless.
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
    case .answered:
      events.removeAll { if case .answered = $0 { true } else { false } }
    case .daemonBack:
      // Who has not even noticed that the daemon was away need not hear that it is back.
      if let lost = events.lastIndex(of: .daemonLost) {
        events.remove(at: lost)
        return
      }
    case .daemonLost: break
    case .ended: events.removeAll { $0.isInWindow && !$0.isWindow }
    }
    events.append(event)
  }

  /// Takes the oldest event; nil if there is none.
  mutating func popFirst() -> WindowEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

extension WindowEvent {
  fileprivate var isWindow: Bool { if case .window = self { true } else { false } }

  /// Whether a newer window says as much.
  fileprivate var isInWindow: Bool {
    switch self {
    case .window, .progress, .drafted: true
    case .answered, .daemonLost, .daemonBack, .ended: false
    }
  }
}
