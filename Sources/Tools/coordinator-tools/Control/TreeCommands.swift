import ArgumentParser
import ControlTool
import Glibc
import Platform
import RendererKit

/// The `coordinatorctl tree` command.
struct Tree: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw all flow trees: their coordinators, each with its screens, the screen on top in brackets.")
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Also draw flow trees that have ended, as long as their outcomes are known.")
  var all = false

  func run() async throws {
    try await global.performReading { session in
      try await DrawTrees(session).run(ended: all)
      return .success
    }
  }
}

extension ListTrees.Format: ExpressibleByArgument {}

/// The `coordinatorctl list` command.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the flow trees as a table.",
    discussion: """
      The state is running, busy, held or, with --all, the outcome: finished, cancelled, failed. With --json, each flow tree has \
      a name, a flow and a state and, while it runs, a screen, startedAt (microseconds since 1970), the number of renderers and, \
      if known, the last transition in 'last', with the keys of 'log --json': time, event, user, way and others.

      LAST is the time since the last transition, and BY who caused it: a user and the way of the call, or, without a call, an occasion such \
      as work or timer.
      """, aliases: ["ls"])
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Also list flow trees that have ended, as long as their outcomes are known.")
  var all = false

  @Flag(help: "Leave out the titles of the columns.")
  var noLegend = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table (default), or only the names, one per line.", valueName: "table|name"))
  var output = ListTrees.Format.table

  func run() async throws {
    try await global.performReading { session in
      try await ListTrees(session).run(format: output, ended: all, legend: !noLegend)
      return .success
    }
  }
}

/// The `coordinatorctl watch` command.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow what a flow tree shows until it ends, or what all of them show.",
    discussion:
      """
      Exits as 'run' does. Meanwhile it counts as a renderer. With --json, each line is an object with an 'event': window, \
      progress, daemon-lost, daemon-back, ended. With --all, each line begins with the name of its flow tree, each object has it \
      in 'tree', and the command also follows flows that are started meanwhile, until it is interrupted.
      """
  )
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Follow all flow trees, also those that are started meanwhile.")
  var all = false

  @Argument(help: "The flow tree; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func validate() throws {
    if all, flowTree != nil { throw ValidationError("--all does not go with the name of a flow tree") }
  }

  func run() async throws {
    try await global.perform { session in
      all ? try await WatchAllTrees(session).run() : try await WatchTree(session).run(flowTree)
    }
  }
}

/// The `coordinatorctl wait` command.
struct Wait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Wait until a flow tree, or each of all, shows a screen, can be answered, or has ended.",
    discussion: """
      Without an option, waits until the screen on top is not busy. Prints the screen that is on top then. If the flow ends \
      meanwhile, prints and exits as 'run' does or, if a screen was waited for, exits with 7. Exits with 11 after --timeout, and \
      with 12 if the flow is held.

      With --all, waits for each flow tree that runs when the command begins, and prints a line for each with its name. It exits \
      with 0 if all of them ended their waits with 0, otherwise with the code of the first, in the order in which they were \
      started, that did not; and with 0 if none runs.

      Examples:
        coordinatorctl wait install --started --screen summary --timeout 5m
        coordinatorctl wait install --ended
        coordinatorctl wait --all --ended --timeout 1h
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Wait until the screen on top has this name. May be repeated: any of them.", completion: .screens)
  var screen: [String] = []

  @Flag(help: "Wait until the screen on top is not busy, also with --screen.")
  var idle = false

  @Flag(help: "Wait until the flow has ended, and print and exit as 'run' does.")
  var ended = false

  @Flag(help: "If there is no such flow tree yet, wait until it has been started.")
  var started = false

  @Flag(help: "Wait for each of the flow trees that run now.")
  var all = false

  @Option(help: "Give up after this time: 30s, 5m, 2h. Without it, wait for ever.", transform: DurationArgument.argument)
  var timeout: DurationArgument?

  @Argument(
    help: "The flow tree, also one that has ended; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func validate() throws {
    if ended, idle || !screen.isEmpty { throw ValidationError("--ended does not go with --screen or --idle") }
    if all, flowTree != nil || started {
      throw ValidationError("--all goes neither with the name of a flow tree nor with --started")
    }
    if started, flowTree == nil { throw ValidationError("--started requires the name of the flow tree") }
  }

  func run() async throws {
    try await global.perform { session in
      let wait = WaitForTree(session)
      let condition = WaitCondition(screens: screen, isIdle: idle, isEnd: ended)
      if all { return try await wait.all(until: condition, limit: timeout?.microseconds, complain: StandardStreams.complain) }
      return try await wait.run(flowTree, until: condition, orStart: started, limit: timeout?.microseconds)
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

/// The `coordinatorctl dismiss` command.
struct Dismiss: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End flow trees, or one coordinator in a tree with everything below it, as cancelled.",
    discussion: """
      --all and --flow ask before they end anything that renderers show, if there is a terminal to ask at, and --yes is not given.

      A flow may forbid that its users leave it; it is not dismissed then, and the command exits with 8. root and the daemon's own \
      user, which is you on a session bus, can end it with --force: its work is cancelled, its screens disappear, and the history \
      names who forced it.
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @Flag(help: "End all flow trees.")
  var all = false

  @Option(help: "End all flow trees of this flow.", completion: .flows)
  var flow: String?

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @Flag(help: "End it even if its flow cannot be left; only for root and the daemon's own user.")
  var force = false

  @Argument(
    help: "A flow tree, or the path of a child such as pets_1/schedule_visit_1; may be omitted if there is only one tree.",
    completion: .trees)
  var coordinator: [String] = []

  func validate() throws {
    let isMany = all || flow != nil
    if all, flow != nil { throw ValidationError("--all and --flow are mutually exclusive") }
    if isMany, !coordinator.isEmpty { throw ValidationError("--all and --flow do not go with the name of a flow tree") }
    if request != nil, isMany || coordinator.count > 1 { throw ValidationError("--request applies to one flow tree") }
    if yes, !isMany { throw ValidationError("--yes applies only with --all and --flow: nothing else asks") }
  }

  func run() async throws {
    try await global.perform { session in
      let dismiss = DismissCoordinator(session, isForced: force)
      if all || flow != nil {
        return try await dismiss.all(of: flow, confirm: isConfirmed, complain: StandardStreams.complain)
      }
      if coordinator.count > 1 { return try await dismiss.run(coordinator, complain: StandardStreams.complain) }
      try await dismiss.run(coordinator.first, request: request)
      return .success
    }
  }

  /// Asks at the terminal, if there is one; without a terminal, no confirmation is needed.
  private func isConfirmed(_ question: String) -> Bool {
    guard !yes, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return true }
    StandardStreams.complain(question)
    return ["y", "yes"].contains(readLine()?.bytes.lowercased)
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

  @Argument(help: "The token.", completion: .tokens)
  var token: String

  func run() async throws {
    try await global.perform { session in
      try await ForgetToken(session).run(token)
      return .success
    }
  }
}
