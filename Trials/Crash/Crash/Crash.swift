import ArgumentParser
import BusLoad
import CrashTrial
import Dispatch
import Foundation
import Glibc
import TestBus

/// The command that runs the crash trial.
@main
struct Crash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash",
    abstract: "Kill a daemon with SIGKILL at random moments under load, and compare its state with what its clients were told.",
    discussion: """
      The clients' connections stay open: each client waits for the next daemon, reads everything, and repeats the unanswered \
      call under the same request key or token. The expected result of each call is computed by another daemon, which is never \
      killed. At the end, the history and the database are checked as well. Ctrl-C ends the trial early.

      Exit status: 0 if nothing was lost, done twice, or different from what the clients were told; 1 otherwise.
      """)

  @Option(help: "The number of kills.")
  var kills = 1_000

  @Option(help: "The number of concurrent clients.")
  var clients = 8

  @Option(help: "The random seed. The timing of kills and clients still varies from run to run.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "The maximum time that the daemon serves before a kill, in milliseconds.")
  var longest = 300

  @Option(help: "The daemon's --sync: full, normal, off.")
  var sync = "full"

  @Flag(help: "Run the daemon with --ephemeral; the trial must then detect the loss.")
  var ephemeral = false

  @Flag(help: "Let another process serve the flows, and kill that one as well.")
  var provider = false

  @Option(help: "The daemon; by default, the trial daemon built with this program, which has a flow that does work.")
  var daemon: String?

  func run() async throws {
    var plan = CrashTrial.Plan(
      executable: try daemon ?? BuiltProgram.path("CrashDaemon"), hasWork: daemon == nil, kills: kills,
      clients: clients, seed: seed, longest: .milliseconds(longest), options: ephemeral ? [] : ["--sync", sync],
      isEphemeral: ephemeral)
    if provider { plan.provider = try BuiltProgram.path("CrashProvider") }
    let trial = CrashTrial(plan)
    let interruption = Self.onInterruption { trial.stop() }
    defer { interruption.cancel() }
    let mode = (ephemeral ? " --ephemeral" : " --sync \(sync)") + (provider ? " --provider" : "")
    say("crash --seed \(seed) --kills \(kills) --clients \(clients)\(mode)")
    let step = max(1, kills / 20)
    let figures = try await trial.run { number, figures in
      guard number.isMultiple(of: step) else { return }
      say("\(number) kills, \(figures.acknowledged) transitions, \(figures.violations.count) violations")
    }
    for violation in figures.violations { say("\(violation)") }
    say("\(figures)")
    if !figures.violations.isEmpty { throw ExitCode.failure }
  }

  /// Calls `body` at the first SIGINT. The second one ends the program as usual.
  private static func onInterruption(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      signal(SIGINT, SIG_DFL)
      body()
    }
    source.resume()
    return source
  }
}
