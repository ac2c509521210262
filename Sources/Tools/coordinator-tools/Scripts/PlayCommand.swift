import ArgumentParser
import CoordinatorAnswers
import CoordinatorKit
import CoordinatorScripts
import Glibc
import Platform
import RendererKit
import ScriptPlays

/// Plays an answers file without a daemon.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a script with the answers in a file, without a daemon.",
    discussion: """
      The file is one for 'coordinatorctl answer'. Steps are really done, unless --stub gives a command to execute in their \
      place. Prints each question with its answer, each step and look, and the result.

      Exits as 'coordinatorctl answer' does: 0 finished, 3 cancelled, 4 failed, 5 an answer is missing, 9 the \
      input does not fit the flow, 1 anything else.

      With --json, a test says what happens, line by line, and is told what is shown; see the document on the script protocol.
      """)

  @OptionGroup var script: TriedScript

  @Option(help: "The answers file (YAML); - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var answers: String?

  @Flag(help: "Read what happens from standard input, and print what is shown, both as lines of JSON: for tests.")
  var json = false

  @Option(help: "With --json, when to end the process of a script that waits: after a minute, or always.")
  var evict = Eviction.always

  @Flag(help: "Play it once more with Back at each question and the same answers again; it must end in the same way.")
  var backEverywhere = false

  @Flag(
    help: ArgumentHelp(
      "Play it once more, killing everything after each event and each step once in its middle; it must end in the same way.",
      discussion: "Steps are repeated with a greater attempt. Stubs keep them from having effects."))
  var crashEverywhere = false

  @Flag(help: "Exit with 1 if the file has answers that were never requested.")
  var strict = false

  @Flag(help: "Print only the result.")
  var quiet = false

  @Flag(help: "With --json, let time and chance be as they are, and execute nothing twice: for a person, not for a test.")
  var real = false

  func validate() throws {
    if json == (answers != nil) { throw ValidationError("either --answers or --json is needed") }
    if json, backEverywhere || crashEverywhere || strict { throw ValidationError("--json has no other options of a play") }
  }

  func run() async throws {
    let given = try script.assignments
    guard let answers else { return try await steer() }
    try await script.perform(isLoud: !quiet) { scripts, flows in
      let file = try answersFile(answers)
      let flow = try flow(of: file, from: answers, among: flows)
      let input = try PlayedInput.values(file, given, schema: scripts.scripts[flow]?.input)
      let isQuiet = quiet
      let play = AnswerPlay(flow, file, environment: Environment.variables) { line in
        if !isQuiet { StandardStreams.write("\(line)\n") }
      }
      let ending = try await play.run(on: scripts, input: input)
      StandardStreams.write(ending.text)
      for key in ending.unused { StandardStreams.complain("coordinator-scripts: never requested: \(key)\n") }
      for (isWanted, disturbance, name) in [
        (backEverywhere, RepeatedPlay.Disturbance.back, "Back"), (crashEverywhere, .crash, "a crash"),
      ] where isWanted {
        let count = try await RepeatedPlay(flow, input: input, like: ending, with: disturbance).run(on: scripts)
        StandardStreams.write("the same with \(name) everywhere: \(count)×\n")
      }
      return strict && !ending.unused.isEmpty && ending.exit == .success ? .error : ending.exit
    }
  }

  /// Executes the requests on standard input, up to its end.
  private func steer() async throws {
    try await script.perform(isLoud: !quiet, patience: evict.patience, isReal: real) { scripts, _ in
      var play = SteeredPlay(on: scripts)
      while let line = StandardStreams.read("-") { StandardStreams.write("\(await play.answer(line))\n") }
      return .success
    }
  }

  private func answersFile(_ answers: String) throws -> AnswersFile {
    guard let text = StandardStreams.readAll(answers, keepsLineBreak: true) else {
      throw ToolFailure(["cannot read '\(answers.printable)' as text in UTF-8"])
    }
    do {
      return try AnswersFile(yaml: text)
    } catch {
      throw ToolFailure(["\(answers): \(error)".printable])
    }
  }

  private func flow(of file: AnswersFile, from answers: String, among flows: [String]) throws -> String {
    if let flow = script.flow { return flow }
    if let flow = file.flow {
      guard flows.contains(flow) else {
        throw ToolFailure(["\(answers): is for '\(flow)', but \(script.file) has \(flows.joined(separator: ", "))".printable])
      }
      return flow
    }
    guard flows.count == 1 else {
      throw ToolFailure(["\(script.file) has several flows: name one with --flow: \(flows.joined(separator: ", "))".printable])
    }
    return flows[0]
  }
}
