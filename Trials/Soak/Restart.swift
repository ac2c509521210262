import ArgumentParser
import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import TestBus

/// Kills a daemon that has many flow trees, and measures how long it takes to restore them.
struct Restart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kill a daemon with many flow trees, and measure how long restoring them takes.",
    discussion: "Exit status: 0 if all trees were restored unchanged, 1 otherwise.")

  @Option(help: "The number of flow trees.")
  var trees = 10_000

  @Option(help: "The daemon; by default, the one built with this program.")
  var daemon: String?

  func run() async throws {
    let executable = try daemon ?? BuiltProgram.path("coordinatord")
    let clock = ContinuousClock()
    var start = clock.now
    let first = try await LoadedDaemon.start(executable, ["--log-level", "error"])
    say("empty: the name was acquired after \(milliseconds(since: start)) ms")
    let client = try await first.client()
    start = clock.now
    let flows = try await begin(client)
    let size = first.stateSize / 1_024
    say("\(flows.count) flows started in \(milliseconds(since: start)) ms: \(try first.memory()), \(size) kB on disk")
    await first.kill()

    start = clock.now
    let second = try await LoadedDaemon.start(executable, ["--log-level", "error"], on: first.bus)
    say("restarted: the name was acquired after \(milliseconds(since: start)) ms")
    // The last tree, which is not among those that are restored first unless requested.
    guard let last = flows.last else { return }
    let window = try await client.router(Contract.routerPath(of: last)).window()
    say("the first answer came after \(milliseconds(since: start)) ms")
    let active = try await client.manager.listActive()
    say("all \(active.count) flows were back after \(milliseconds(since: start)) ms: \(try second.memory())")
    let isSame = Set(active.map(\.coordinator)) == Set(flows) && window.revision == 2
    let report = await second.stop()
    guard isSame, report.status == .exited(0) else {
      say("the flows differ, or the daemon did not exit cleanly: \(report)")
      throw ExitCode.failure
    }
  }

  /// Starts the flows and sends one event to each, 64 at a time.
  private func begin(_ client: DaemonClient) async throws -> [ObjectPath] {
    try await withThrowingTaskGroup(of: ObjectPath.self) { group in
      var flows: [ObjectPath] = []
      for number in 0..<trees {
        if number >= 64, let flow = try await group.next() { flows.append(flow) }
        group.addTask {
          let flow = try await client.manager.startFlow("how-to-code").coordinator
          _ = try await client.coordinator(flow).delegate(screen: 1, event: "next")
          return flow
        }
      }
      for try await flow in group { flows.append(flow) }
      return flows
    }
  }

  private func milliseconds(since start: ContinuousClock.Instant) -> Int { Int(start.duration(to: .now) / .milliseconds(1)) }
}
