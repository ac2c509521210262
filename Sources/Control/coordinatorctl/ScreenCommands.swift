import ArgumentParser
import ControlTool

/// The `coordinatorctl tree` command.
struct Tree: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw all flow trees: their coordinators, each with its screens, the screen on top in brackets.")
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
    abstract: "Print the screen on top.", discussion: "The events to send, and the ids of items and fields, are in brackets.")
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree; may be omitted if there is only one.")
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

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
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

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @Argument(help: "The flow tree; may be omitted if there is only one.")
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
    abstract: "End a flow tree, or one coordinator in it with everything below it, as cancelled.")
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @Argument(
    help: "The flow tree, or the path of a child such as pets_1/schedule_visit_1; may be omitted if there is only one tree.")
  var coordinator: String?

  func run() async throws {
    try await global.perform { session in
      try await DismissCoordinator(session).run(coordinator, request: request)
      return .success
    }
  }
}

/// The `coordinatorctl forget` command.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget how the flow of a token ended, so that the token starts a flow again.",
    discussion: """
      A token refers to its flow even after the flow has ended; a start with this token then starts nothing. Once the token is \
      forgotten, it can start any flow. The history keeps what happened. Forgetting a token that is not known does nothing; a \
      flow that is still running is refused with exit code 1.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The token.")
  var token: String

  func run() async throws {
    try await global.perform { session in
      try await ForgetToken(session).run(token)
      return .success
    }
  }
}

/// The `coordinatorctl retry` command.
struct Retry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Retry what is held.",
    discussion: """
      A flow tree that cannot be restored after a restart is held, and so is a coordinator if an event that no caller waits \
      for cannot be handled. Nothing is lost, and 'tree' shows the reason. What is held is retried each time the daemon \
      starts, and by this command, which exits with 1 and prints the reasons if anything is still held.
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
      """
      Exits as 'run' does. Meanwhile it counts as a renderer. With --json, each line is an object with an 'event': window, \
      progress, daemon-lost, daemon-back, ended.
      """
  )
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree; may be omitted if there is only one.")
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in try await WatchTree(session).run(flowTree) }
  }
}
