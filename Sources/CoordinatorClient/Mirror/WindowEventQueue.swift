/// Holds what a renderer has not taken yet, and never more than a handful: a newer window stands for those before it.
struct WindowEventQueue: Sendable {
  private var events: [WindowEvent] = []

  /// Puts an event at the end, and drops those that it makes pointless.
  mutating func append(_ event: WindowEvent) {
    switch event {
    case .window:
      events.removeAll { if case .window = $0 { true } else { $0.isProgress } }
    case .progress(let screen, _):
      events.removeAll { if case .progress(screen, _) = $0 { true } else { false } }
    case .daemonBack:
      // Who has not even noticed that the daemon was away need not hear that it is back.
      if let lost = events.lastIndex(of: .daemonLost) {
        events.remove(at: lost)
        return
      }
    case .daemonLost: break
    case .ended: events.removeAll(where: \.isProgress)
    }
    events.append(event)
  }

  /// Takes the oldest event; nil if there is none.
  mutating func popFirst() -> WindowEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

extension WindowEvent {
  fileprivate var isProgress: Bool { if case .progress = self { true } else { false } }
}
