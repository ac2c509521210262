import ArgumentParser
import ControlTool

/// The `coordinatorctl tree` command.
struct Tree: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw all flow trees: coordinators, each with its screens, the one on top in brackets.")
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.perform { session in
      try await DrawTrees(session).run()
      return .success
    }
  }
}

/// The `coordinatorctl show` command.
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the screen on top.", discussion: "In brackets: what to send, and the ids of items and fields.")
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree; may be left out when there is just one.")
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in
      try await ShowScreen(session).run(flowTree)
      return .success
    }
  }
}

/// The `coordinatorctl send` command.
struct Send: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send an event to the coordinator of the screen on top.",
    usage: "coordinatorctl send [<options>] [<flow-tree>] <event> [<key=value> ...]",
    discussion: """
      Examples:
        coordinatorctl send schedule-visit
        coordinatorctl send pets_1 select id=lamp
        pass show demo | coordinatorctl send submit username=demo password=@-
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 of [A-Za-z0-9_-].")
  var request: String?

  @Argument(help: ArgumentHelp("The flow tree, the event and its payload.", valueName: "word"))
  var words: [String]

  func run() async throws {
    try await global.perform { session in
      let arguments = try SendArguments(words)
      try await SendEvent(session).run(arguments.event, arguments.assignments, to: arguments.tree, request: request)
      return .success
    }
  }
}

/// The `coordinatorctl back` command.
struct Back: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Go back from the screen on top.")
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 of [A-Za-z0-9_-].")
  var request: String?

  @Argument(help: "The flow tree; may be left out when there is just one.")
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in
      try await GoBack(session).run(flowTree, request: request)
      return .success
    }
  }
}

/// The `coordinatorctl dismiss` command.
struct Dismiss: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End a flow tree, or one coordinator in it with everything under it, as cancelled.")
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 of [A-Za-z0-9_-].")
  var request: String?

  @Argument(
    help: "The flow tree, or the path of a child like pets_1/schedule_visit_1; may be left out when there is just one tree.")
  var coordinator: String?

  func run() async throws {
    try await global.perform { session in
      try await DismissCoordinator(session).run(coordinator, request: request)
      return .success
    }
  }
}

/// The `coordinatorctl retry` command.
struct Retry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Try to take up the flow trees that are held.",
    discussion: """
      A flow tree that cannot be taken up after a restart is held: nothing of it is lost, and 'tree' says why. It is tried again at each \
      start of the daemon, and by this command. Exits with 1 if any is held still, and says why.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.perform { session in try await RetryHeld(session).run() }
  }
}

/// The `coordinatorctl watch` command.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow what a flow tree shows until it ends.",
    discussion:
      "Exits as 'run' does, and counts as a renderer meanwhile. With --json each line is an object with 'event': window, progress, daemon-lost, daemon-back, ended."
  )
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree; may be left out when there is just one.")
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in try await WatchTree(session).run(flowTree) }
  }
}
