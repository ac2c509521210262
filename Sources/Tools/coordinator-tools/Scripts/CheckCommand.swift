import ArgumentParser
import CoordinatorKit
import CoordinatorScripts
import Glibc
import Platform
import RendererKit
import ScriptPlays

/// Walks all paths through a script, each with two runs.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Walk every path through a script, and find what differs between runs.",
    discussion: """
      Takes every action, a few rows of each list, and values that each form accepts, without a daemon. Two runs with the same \
      log must ask, do and show the same. Steps are not done: each succeeds on one path, with no output, and fails on another. \
      Looks are done, because they change nothing. A command given with --stub is executed in place of either.

      Exits with 0 if nothing is wrong, and with 1 otherwise.
      """)

  @OptionGroup var script: TriedScript
  @OptionGroup var exploring: ExploringOptions

  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "A log of 'coordinator-scripts export' that the script must still fit; may be repeated. Nothing else is checked then.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var logs: [String] = []

  func run() async throws {
    let input = try script.input
    try await script.perform { scripts, flows in
      var isFine = true
      for log in logs {
        guard let text = StandardStreams.readAll(log) else {
          throw ToolFailure(["cannot read '\(log.printable)' as text in UTF-8"])
        }
        let misfit = try await KeptLog(text, of: log, among: flows).misfit(on: scripts)
        StandardStreams.write("\(log): \(misfit ?? "fits")\n".printableLines)
        if misfit != nil { isFine = false }
      }
      guard logs.isEmpty else { return isFine ? .success : .error }
      for flow in flows {
        let found = try await exploring.walk(flow, of: scripts, input: input)
        for problem in found.problems {
          isFine = false
          StandardStreams.write(problem.lines.map { "\($0.printable)\n" }.joined())
          if !problem.path.isEmpty { StandardStreams.write("  after: \(problem.path.joined(separator: " ▸ ").printable)\n") }
        }
        StandardStreams.write("\(found.summary.printable)\n")
        exploring.tell(found)
      }
      return isFine ? .success : .error
    }
  }
}

/// Prints the graph of a script.
struct GraphCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Print the questions, steps and ends of a script, and what leads from one to another.",
    discussion: "Walks the script as 'check' does.")

  @OptionGroup var script: TriedScript
  @OptionGroup var exploring: ExploringOptions

  @Flag(help: "Print the graph in the language of Graphviz: dot -Tsvg makes a picture of it.")
  var dot = false

  func run() async throws {
    let input = try script.input
    try await script.perform { scripts, flows in
      for flow in flows {
        let found = try await exploring.walk(flow, of: scripts, input: input)
        StandardStreams.write(dot ? found.dot : found.lines.map { $0 + "\n" }.joined())
        exploring.tell(found)
        if let problem = found.problems.first { throw ToolFailure(problem.lines) }
      }
      return .success
    }
  }
}

/// The options of the commands that explore a script.
struct ExploringOptions: ParsableArguments {
  @Option(help: "How many paths to walk to their end.")
  var maxPaths = 200

  @Flag(help: "Really do the steps for which there is no stub.")
  var realSteps = false

  func validate() throws {
    if maxPaths < 1 { throw ValidationError("--max-paths needs a number from 1") }
  }

  /// Walks a flow, and shows the progress on a terminal.
  func walk(_ flow: String, of scripts: LocalScripts, input: [String: JSONValue]) async throws -> ExploredFlow {
    let isWatched = isatty(STDERR_FILENO) == 1
    let walk = ScriptWalk(flow, of: scripts, isReal: realSteps, maxPaths: maxPaths) { paths, moves in
      if isWatched { StandardStreams.complain("\r\(flow): \(paths) of at most \(maxPaths) paths, \(moves) moves\u{1B}[K") }
    }
    defer { if isWatched { StandardStreams.complain("\r\u{1B}[K") } }
    return try await walk.run(input: input)
  }

  /// Reports the paths that were not walked.
  func tell(_ found: ExploredFlow) {
    for note in found.notes { StandardStreams.complain("coordinator-scripts: \(found.name): \(note)\n".printableLines) }
    guard found.isCut else { return }
    StandardStreams.complain("coordinator-scripts: \(found.name): stopped after \(maxPaths) paths; --max-paths N walks more\n")
    if let growth = found.growth { StandardStreams.complain("coordinator-scripts: \(found.name): \(growth.printable)\n") }
  }
}

extension String {
  /// The text without control characters, except line feeds.
  fileprivate var printableLines: String {
    bytes.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }
}
