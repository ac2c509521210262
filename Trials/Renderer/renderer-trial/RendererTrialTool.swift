import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Foundation
import RendererTrial
import TestBus

/// The command that tests a renderer: arguments and wiring.
@main
struct RendererTrialTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renderer-trial", abstract: "Tries a renderer with every kind of screen, every state and every surprise.",
    discussion: """
      Starts a bus and a daemon of its own with the flow renderer-trial, and says how a renderer gets there. Answer it with that renderer: \
      each screen says what to do. Among other things the daemon is killed meanwhile. In the end it prints what went wrong: on the screens, \
      and on the bus, which is watched.

      Exit status: 0 if nothing was wrong, 1 if something was.
      """, subcommands: [Run.self, Serve.self], defaultSubcommand: Run.self)
}

/// The subcommand that runs the trial.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run a trial.")

  @Option(help: "After how many seconds something happens by itself.")
  var pace = 3.0

  func validate() throws {
    guard (0...60).contains(pace) else { throw ValidationError("--pace is 0 to 60 seconds") }
  }

  func run() async throws {
    let program = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]
    let trial: TrialRun
    do {
      trial = try await TrialRun(executable: program, pace: pace)
    } catch let error as Program.StartFailed {
      throw ValidationError("cannot start \(error.arguments.first ?? "a program"): \(error.reason)")
    }
    say("Show the flow '\(TrialRun.token)' with your renderer on this bus:")
    say("  DBUS_SESSION_BUS_ADDRESS='\(trial.bus.address)' coordinator-tui \(TrialRun.token)")
    let report = try await trial.run(telling: say)
    say("\n" + report.lines.joined(separator: "\n"))
    guard report.isPassed else { throw ExitCode.failure }
  }

  /// Prints a line without buffering, even to a pipe.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// The subcommand that serves the flow of the trial.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve the flow of the trial.", shouldDisplay: false)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { RendererTrialFlow() }
    try await daemon.serve(catalogue)
  }
}
