import ArgumentParser
import CoordinatorKit
import Dispatch
import Foundation
import Glibc

extension TrialPass: ExpressibleByArgument {}

/// The command that tests a provider of flows: arguments and wiring.
@main
struct ProviderTrialTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider-trial", abstract: "Tests a provider of flows.",
    discussion: """
      Starts the provider on a bus of its own, where the trial plays the daemon. Walks through its flows, asks every question \
      again in other ways, and kills, stops and surprises it. Prints each mistake with the rule, the event, the turn, and what \
      to do about it, and what could not be tried.

      Work is really performed, several times: let the provider use stand-ins for what it changes.

      After the walk come these passes: \(TrialPass.allCases.map(\.rawValue).joined(separator: ", ")).

      Exit status: 0 if the provider passed, 1 if it did not, 64 for a mistake in the arguments, 130 after Ctrl-C.
      """)

  @Option(help: ArgumentHelp("Try this flow only; can be repeated.", valueName: "name"))
  var flow: [String] = []

  @Option(help: "The random seed.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "The maximum number of states to visit in each flow.")
  var states = 80

  @Option(help: "How many seconds work may take.")
  var patience = 10

  @Option(help: ArgumentHelp("Start a flow with this input, a JSON object; can be repeated.", valueName: "flow=json"))
  var input: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fill in forms with the payloads in this JSON file: an object with an array of payloads for each screen.",
      valueName: "file"))
  var answers: String?

  @Option(
    help: ArgumentHelp(
      "Let a child of another provider finish with this result, a JSON object; can be repeated.", valueName: "flow=json"))
  var childResult: [String] = []

  @Option(
    help: ArgumentHelp(
      "Migrate the states of an older version, which this shell command starts.", valueName: "command"))
  var upgradeFrom: String?

  @Option(
    help: ArgumentHelp("Do only this after the walk; can be repeated.", valueName: "pass"))
  var only: [TrialPass] = []

  @Flag(help: "Print the report as JSON.")
  var json = false

  @Flag(help: "Do not print progress.")
  var quiet = false

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The provider and its arguments, after --.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("name the provider: provider-trial -- COMMAND…") }
    guard (1...100_000).contains(states) else { throw ValidationError("--states must be 1 to 100000") }
    guard (1...3600).contains(patience) else { throw ValidationError("--patience must be 1 to 3600 seconds") }
  }

  func run() async throws {
    let trial = ProviderTrial(try options()) { [quiet] line in
      if !quiet { FileHandle.standardError.write(Data("… \(line)\n".utf8)) }
    }
    if !json { say("provider-trial --seed \(seed) -- \(command.joined(separator: " "))") }
    let running = Task { try await trial.run() }
    let interruption = Self.onInterruption { running.cancel() }
    defer { interruption.cancel() }
    let report: TrialReport
    do { report = try await running.value } catch let error as ProviderTrial.UsageError {
      throw ValidationError(error.description)
    }
    if json {
      say(report.json.canonicalText)
    } else {
      say(report.lines.joined(separator: "\n"))
    }
    if running.isCancelled { throw ExitCode(130) }
    if !report.isPassed { throw ExitCode.failure }
  }

  private func options() throws -> TrialOptions {
    var options = TrialOptions(
      command: command, oldCommand: upgradeFrom.map { ["/bin/sh", "-c", "exec \($0)"] }, flows: flow, seed: seed,
      maxStates: states, patience: .seconds(patience), passes: Set(only.isEmpty ? TrialPass.allCases : only))
    for text in input { try Self.add(text, to: &options.inputs, "--input") }
    for text in childResult { try Self.add(text, to: &options.childResults, "--child-result") }
    guard let answers else { return options }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: answers))
      options.answers = try JSONDecoder().decode([String: [[String: JSONValue]]].self, from: data)
    } catch {
      throw ValidationError("--answers \(answers): expected an object with an array of objects for each screen: \(error)")
    }
    return options
  }

  private static func add(_ text: String, to values: inout [String: [String: JSONValue]], _ option: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let value = try? JSONDecoder().decode([String: JSONValue].self, from: Data(parts[1].utf8)) else {
      throw ValidationError("\(option) \(text): expected the name of a flow, '=' and a JSON object")
    }
    values[parts[0]] = value
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

  /// Prints a line without buffering, even to a pipe.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
