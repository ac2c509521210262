import ArgumentParser
import BusLoad
import CrashTrial
import Dispatch
import Foundation
import Glibc

/// The command that runs the crash trial.
@main
struct Crash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash",
    abstract: "Kills a daemon of its own with -9 at random moments under load, and compares it with what its clients were told.",
    discussion: """
      The clients' connections stay: each waits for the next daemon, reads everything, and makes the call that was not answered once \
      more, under the same request key or token. What each call has to lead to is known from another daemon, which is never killed. \
      In the end the history and the database are looked at as well. Ctrl-C ends it before its time.

      Exit status: 0 if nothing was lost, done twice, or different from what was told, 1 otherwise.
      """)

  @Option(help: "How often to kill.")
  var kills = 1_000

  @Option(help: "How many clients at once.")
  var clients = 8

  @Option(help: "Where the randomness begins; how kills and clients meet is never quite the same twice.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "How many milliseconds to let it serve at most.")
  var longest = 300

  @Option(help: "What the daemon waits for before it answers: full, normal, off.")
  var sync = "full"

  @Flag(help: "Let the daemon keep nothing, which has to be found out.")
  var ephemeral = false

  @Option(help: "The daemon; one for trials that was built with this program unless given, with a flow that does work.")
  var daemon: String?

  func run() async throws {
    let trial = CrashTrial(
      .init(
        executable: daemon ?? Bundle.main.bundleURL.appending(path: "CrashDaemon").path, hasWork: daemon == nil, kills: kills,
        clients: clients,
        seed: seed, longest: .milliseconds(longest), options: ephemeral ? [] : ["--sync", sync], isEphemeral: ephemeral))
    let interruption = Self.onInterruption { trial.stop() }
    defer { interruption.cancel() }
    say("crash --seed \(seed) --kills \(kills) --clients \(clients)\(ephemeral ? " --ephemeral" : " --sync \(sync)")")
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
