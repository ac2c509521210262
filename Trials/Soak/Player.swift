import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// A client that plays one flow after another as a user would, and attaches to each as a renderer.
struct Player {
  private let daemon: LoadedDaemon
  private var generator: SeededGenerator

  init(_ daemon: LoadedDaemon, seed: UInt64) {
    self.daemon = daemon
    generator = SeededGenerator(seed: seed)
  }

  /// Plays flows.
  ///
  /// - Parameters:
  ///   - goesOn: whether to continue.
  ///   - transition: called after each transition.
  /// - Throws: errors that prevent playing; errors of single moves are ignored.
  func play(while goesOn: () -> Bool, each transition: () -> Void) async throws {
    var generator = generator
    let client = try await daemon.client()
    let flows = try await client.manager.listFlows()
    while goesOn(), let flow = flows.randomElement(using: &generator) {
      // A new renderer each time, to check that the daemon forgets clients that leave.
      let renderer = try await daemon.client()
      let input = flow.input?.acceptedObject(using: &generator) ?? [:]
      guard let started = try? await renderer.manager.startFlow(flow.name, input: input) else {
        await renderer.close()
        continue
      }
      transition()
      _ = try await renderer.router(started.router).attach(kind: "soak")
      for _ in 0..<30 {
        guard let window = try? await renderer.router(started.router).window(),
          let move = PlausibleMove.choose(in: window, router: started.router, using: &generator)
        else { break }
        if (try? await renderer.connection.call(move)) != nil { transition() }
      }
      if Bool.random(using: &generator) { try? await renderer.router(started.router).detach() }
      if (try? await client.coordinator(started.coordinator).dismiss()) != nil { transition() }
      await renderer.close()
    }
    await client.close()
  }
}
