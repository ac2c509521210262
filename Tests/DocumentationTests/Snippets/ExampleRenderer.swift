import CoordinatorClient
import CoordinatorKit
import DBus

/// Shows a flow to a user who answers each screen with an event, or leaves it alone.
func show(_ flow: String, on bus: BusAddress, to answer: (Screen) -> String?) async throws -> FlowEnd? {
  let daemon = try await DaemonClient.connect(to: bus)
  let started = try await daemon.manager.startFlow(flow)
  let mirror = try await WindowMirror.attach(to: started.coordinator, of: daemon, kind: "example")
  for try await event in mirror.events {
    switch event {
    case .window(let window):
      guard let top = window.top, let event = answer(top.screen) else { break }
      do {
        let coordinator = daemon.coordinator(top.coordinator)
        _ = try await coordinator.delegate(screen: top.id, event: event, options: .init(seen: window.revision))
      } catch ClientError.refused(.staleScreen) {
        // Another client was faster. The new screen follows.
      }
    case .progress, .drafted, .typing, .participants, .language, .answered, .daemonLost, .daemonBack: break
    case .ended(let end): return end
    }
  }
  return nil
}
