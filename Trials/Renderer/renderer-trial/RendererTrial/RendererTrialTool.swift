import ArgumentParser
import CoordinatorKit
import CoordinatorProvider
import DBus
import DaemonCommandLine
import Foundation
import TestBus

extension TrialStep: ExpressibleByArgument {}

/// The command that tests a renderer: arguments and wiring.
@main
struct RendererTrialTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renderer-trial", abstract: "Tests a renderer with every kind of screen, state and surprise.",
    discussion: """
      Starts a bus and a daemon with the flow renderer-trial, and prints how to reach it. Answer the flow with your renderer: \
      each screen says what to do. The daemon is killed and restarted along the way. At the end, the trial prints what went \
      wrong, both on the screens and in the renderer's messages on the bus.

      Exit status: 0 if the renderer passed, 1 otherwise.
      """, subcommands: [Run.self, Serve.self, Provide.self], defaultSubcommand: Run.self)
}

/// The subcommand that runs the trial.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run a trial.")

  @Option(help: "The number of seconds until automatic events.")
  var pace = 3.0

  @Option(help: ArgumentHelp("Begin with this step: the name of its screen.", valueName: "step"))
  var from: TrialStep?

  @Option(
    help: ArgumentHelp(
      "Leave out the steps with this kind of screen, or this feature, which a renderer need not draw: \(TrialStep.features.joined(separator: ", ")).",
      valueName: "kind"))
  var without: [String] = []

  @Flag(help: "Have a process of its own serve the flow, instead of the daemon: a renderer must not see a difference.")
  var provided = false

  func validate() throws {
    guard (0...60).contains(pace) else { throw ValidationError("--pace must be 0 to 60 seconds") }
    if let unknown = without.first(where: { !TrialStep.features.contains($0) }) {
      throw ValidationError("--without \(unknown): expected one of \(TrialStep.features.joined(separator: ", "))")
    }
  }

  func run() async throws {
    let program = Bundle.main.executableURL?.path ?? CommandLine.arguments[0]
    let trial: TrialRun
    do {
      trial = try await TrialRun(executable: program, pace: pace, from: from, without: without, isServed: provided)
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

  @Flag(help: .hidden)
  var noFlow = false

  func run() async throws { try await daemon.serve(noFlow ? FlowCatalogue() : .trial()) }
}

/// The subcommand that serves the flow of the trial to a daemon that does not have it.
struct Provide: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve the flow of the trial to a daemon.", shouldDisplay: false)

  func run() async throws {
    let connection = try await Connection.open(.session)
    try await Provider(of: .trial(), name: "org.coordinatord.RendererTrial").serve(on: connection)
  }
}

extension FlowCatalogue {
  /// Returns the flow of the trial.
  fileprivate static func trial() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { RendererTrialFlow() }
    return catalogue
  }
}
