import Glibc
import TestBus

/// Starts the provider of the daemon's flows and kills it, again and again, until the play has ended.
struct ProviderKiller {
  let command: [String]
  let environment: [String: String]
  let bus: PrivateBus
  let record: Record
  let longest: Duration
  private var generator: SeededGenerator

  init(
    _ command: [String], _ environment: [String: String], on bus: PrivateBus, record: Record, seed: UInt64, longest: Duration
  ) {
    (self.command, self.environment, self.bus, self.record) = (command, environment, bus, record)
    (self.longest, generator) = (longest, SeededGenerator(seed: seed))
  }

  /// Kills providers until the task is cancelled, and then the last one.
  ///
  /// - Throws: `Program.StartFailed`.
  mutating func run() async throws {
    while true {
      let life = try DaemonLife(command, environment, on: bus, mayComplain: true)
      do {
        // Once the players only complete their operations, a provider stays.
        while !record.isPlaying { try await Task.sleep(for: .seconds(3600)) }
        try await Task.sleep(for: longest * Double.random(in: 0..<1, using: &generator))
      } catch {
        return await kill(life)
      }
      await kill(life)
      record.add { $0.providerKills += 1 }
    }
  }

  private func kill(_ life: DaemonLife) async {
    do throws(Violation) { try await life.kill() } catch { record.report(error) }
  }
}
