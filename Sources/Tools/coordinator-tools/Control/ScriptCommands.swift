import ArgumentParser
import ControlTool
import RendererKit

/// The `coordinatorctl script` commands.
struct ScriptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Look into a flow that is a script, and put it right.",
    discussion: """
      Only root and the daemon's user may do this. 'coordinator-scripts check' and 'coordinator-scripts play' try a script before \
      it is used.
      """,
    subcommands: [ScriptLogCommand.self, ScriptRetry.self, ScriptDropLast.self, ScriptExport.self])
}

/// The tree that a `coordinatorctl script` command operates on.
struct ScriptArgument: ParsableArguments {
  @Argument(
    help: "The flow tree, or the path of a child such as pets_1/visit_1; by default the only one that is running.",
    completion: .trees)
  var tree: String?
}

/// The `coordinatorctl script log` command.
struct ScriptLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print what is recorded of a script, why it is held, and the last lines that it has written.",
    discussion: """
      Each line is an operation: its number, when it was recorded, its kind and key, and the answer or the result. Answers that \
      were dropped are shown where they are suggested again. Secrets are not recorded.

      The last 50 lines of output are those since coordinator-scripts was started. With --json, entries are as in \
      Docs/script-protocol.md, with the time in microseconds since 1970.
      """)
  @OptionGroup var global: GlobalOptions
  @OptionGroup var argument: ScriptArgument

  func run() async throws {
    try await global.perform { session in
      try await ShowScriptLog(session).run(argument.tree)
      return .success
    }
  }
}

/// The `coordinatorctl script retry` command.
struct ScriptRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Retry a script that is held, as 'coordinatorctl provider retry' does.",
    discussion: "Exits with 1 if it is still held, and prints the reason.")
  @OptionGroup var global: GlobalOptions
  @OptionGroup var argument: ScriptArgument

  func run() async throws {
    try await global.perform { session in try await RetryHeld(session).run(argument.tree) }
  }
}

/// The `coordinatorctl script drop-last` command.
struct ScriptDropLast: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop-last",
    abstract: "Drop the last answer of a script and what was done since, so that the question is asked again.",
    discussion: """
      As Back, but also where Back is not allowed, and for a script that is held. Steps that are dropped are not undone, and may be \
      done again: the command prints them.
      """)
  @OptionGroup var global: GlobalOptions
  @OptionGroup var argument: ScriptArgument

  func run() async throws {
    try await global.perform { session in
      try await DropLastAnswer(session).run(argument.tree)
      return .success
    }
  }
}

/// The `coordinatorctl script export` command.
struct ScriptExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print the log of a script as JSON, to keep it as a test.",
    discussion: """
      'coordinator-scripts check SCRIPT --log FILE' and, in Python, coordinator.testing.replays test whether a changed script still \
      fits it. It contains the answers, but no secrets.
      """)
  @OptionGroup var global: GlobalOptions
  @OptionGroup var argument: ScriptArgument

  func run() async throws {
    try await global.perform { session in
      try await ExportScript(session).run(argument.tree)
      return .success
    }
  }
}
