import ArgumentParser
import CoordinatorKit
import CoordinatorScripts
import Glibc
import Languages
import Platform
import RendererKit
import ScriptPlays

/// Walks all paths through a script, each with two runs.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Walk every path through a script, and find mistakes, and what differs between runs.",
    discussion: """
      Takes every action, a few rows of each list, and values that each form accepts, without a daemon. Two runs with the same \
      log must ask, do and show the same. Steps are not done: each succeeds on one path, with no output, and fails on another. \
      Looks are done, because they change nothing. A command given with --stub is executed in place of either. Time limits and \
      timers end at once.

      Stops after 2000 paths or 30 seconds, and says what was not walked. Ctrl-C prints what was found so far.

      Exits with 0 if nothing is wrong, and with 1 otherwise. Warnings count with --strict only, and paths that were not walked \
      with --complete only.
      """)

  @OptionGroup var script: TriedScript
  @OptionGroup var exploring: ExploringOptions

  @Flag(help: "Also go back from each question: the one before must be shown as it was.")
  var back = false

  @Flag(help: "Fail if not all paths were walked.")
  var complete = false

  @Flag(help: "Fail also if there are warnings.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Warn of texts that are the same in this language, such as de; may be repeated.", valueName: "language"))
  var language: [String] = []

  @Flag(help: "Print an object of JSON for each flow, on a line.")
  var json = false

  @Option(
    help: ArgumentHelp("Also write a report in the format of JUnit, which GitHub and GitLab read.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  /// The file that the script was made of.
  @Option(help: .hidden)
  var source: String?

  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "A log of 'coordinator-scripts export' that the script must still fit; may be repeated. Nothing else is checked then.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var logs: [String] = []

  func validate() throws { _ = try languages }

  /// The languages as a run gets them.
  private var languages: [String] {
    get throws {
      try language.map { name in
        guard let tag = try? LanguageTag(name), !tag.isUntranslated else {
          throw ValidationError("--language takes the name of a language, such as de or de-AT, not '\(name)'")
        }
        return tag.description
      }
    }
  }

  func run() async throws {
    let input = try script.input
    try await script.perform(refused: reportUnreadable) { scripts, flows in
      guard logs.isEmpty else { return try await checkLogs(of: flows, on: scripts) }
      var report = CheckReport(of: source ?? script.file, strictly: strict)
      let interrupts = Interrupts()
      interrupts.take()
      for flow in flows where !interrupts.hasCome {
        var options = try exploring.options
        (options.isComplete, options.languages, options.goesBack) = (complete, try languages, back)
        let found = try await exploring.walk(flow, of: scripts, options, input: input, until: interrupts)
        report.add(found)
        if json {
          StandardStreams.write("\(report.json(of: found))\n")
        } else {
          for problem in found.problems { StandardStreams.write("\(problem.report)\n") }
          StandardStreams.write("\(found.summary.printable)\n")
        }
        exploring.tell(found)
      }
      if let junit { try Self.write(report.junit, to: junit) }
      if interrupts.hasCome { return .interrupted }
      return report.isFine ? .success : .error
    }
  }

  /// Reports a script that cannot be read to programs; people read the reason among the errors.
  private func reportUnreadable(_ reason: String) throws {
    guard logs.isEmpty else { return }
    let found = ExploredFlow(unreadable: source ?? script.file, because: reason)
    var report = CheckReport(of: source ?? script.file, strictly: strict)
    report.add(found)
    if json { StandardStreams.write("\(report.json(of: found))\n") }
    if let junit { try Self.write(report.junit, to: junit) }
  }

  private func checkLogs(of flows: [String], on scripts: LocalScripts) async throws -> ToolExit {
    var isFine = true
    for log in logs {
      guard let text = StandardStreams.readAll(log) else {
        throw ToolFailure(["cannot read '\(log.printable)' as text in UTF-8"])
      }
      let misfit = try await KeptLog(text, of: log, among: flows).misfit(on: scripts)
      StandardStreams.write("\(log): \(misfit ?? "fits")\n".printableLines)
      if misfit != nil { isFine = false }
    }
    return isFine ? .success : .error
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ToolFailure(["cannot write '\(path.printable)': \(String(cString: strerror(errno)))"]) }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ToolFailure(["cannot write '\(path.printable)': \(String(cString: strerror(errno)))"]) }
      rest = rest.dropFirst(count)
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
        let found = try await exploring.walk(flow, of: scripts, exploring.options, input: input)
        StandardStreams.write(dot ? found.dot : found.lines.map { $0 + "\n" }.joined())
        exploring.tell(found)
        if let problem = found.problems.first(where: { $0.check.severity == .error }) { throw ToolFailure(problem.lines) }
      }
      return .success
    }
  }
}

extension String {
  /// The text without control characters, except line feeds.
  var printableLines: String {
    bytes.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }
}
