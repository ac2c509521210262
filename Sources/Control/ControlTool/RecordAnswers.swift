import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import KeeperClient
import LinearTerminal
import Platform
import RendererKit

/// `coordinatorctl record`: records an answers file from what happens in a flow tree.
public struct RecordAnswers: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Guides the user through a flow, or observes it, and writes the answers that led to its end.
  ///
  /// - Parameters:
  ///   - options: options of the command.
  ///   - reader: source of the user's lines.
  ///   - screen: terminal of the conversation.
  ///   - write: closure that writes the conversation.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ options: RecordOptions, reader: LineReader, screen: TerminalScreen, write: @escaping @Sendable (String) -> Void
  ) async throws(ToolFailure) -> ToolExit {
    let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
    if let ended = await session.endedToken(Options(token: options.token)) { throw ended.failure(isFreshKnown: false) }
    let opened = try await session.opened(options.target, options.input, token: options.token)
    let flow = try await session.doing { () async throws(ClientError) in
      try await session.daemon.coordinator(opened.tree).details()
    }.flow
    let names = FlowNames(root: flow, flows: flows.map(\.name))
    let (recorded, exit) = await record(opened.tree, options, reader: reader, screen: screen, write: write)
    let file = recorded.file(flow: flow, input: opened.input ?? [:], names: names)
    let heading = recorded.heading(flow, isWhole: opened.input != nil, player: "coordinatorctl answer FILE")
    try save(file.yaml(heading: heading), options.path)
    return try exit.get()
  }

  /// Records the answers to a program, and writes them to a file.
  ///
  /// - Parameters:
  ///   - program: program to show.
  ///   - options: options of the command.
  ///   - reader: source of the user's lines.
  ///   - screen: terminal of the conversation.
  ///   - write: closure that writes the conversation.
  /// - Throws: ``ToolFailure``.
  func run(
    _ program: RunningProgram, _ options: RecordOptions, reader: LineReader, screen: TerminalScreen,
    write: @escaping @Sendable (String) -> Void
  ) async throws(ToolFailure) {
    let flow = RunningProgram.flow
    let (recorded, exit) = await record(program.tree, options, reader: reader, screen: screen, write: write)
    let file = recorded.file(flow: flow, input: [:], names: FlowNames(root: flow, flows: [flow]))
    let player = "coordinatorctl exec --answers FILE -- PROGRAM"
    try save(file.yaml(heading: recorded.heading(flow, isWhole: true, player: player)), options.path)
    // A program that asks nothing may have ended before this process read its flow.
    if case .failure(let failure) = exit, await !program.hasEnded { throw failure }
  }

  /// Shows or observes a flow tree until it ends or the user leaves. The recording is returned even after a failure.
  private func record(
    _ tree: ObjectPath, _ options: RecordOptions, reader: LineReader, screen: TerminalScreen,
    write: @escaping @Sendable (String) -> Void
  ) async -> (Recorder, Result<ToolExit, ToolFailure>) {
    let recorder = Lock(Recorder())
    do throws(ToolFailure) {
      let exit = try await session.doing { () async throws(ClientError) in
        if options.isOnlooker {
          return try await lookOn(tree) { moment in recorder.withLock { $0.take(moment) } }
        }
        let terminal = TerminalSession(
          daemon: session.daemon, tree: tree, reader: reader, style: screen.style, kind: screen.kind, write: write,
          observe: { moment in recorder.withLock { $0.take(moment) } })
        return try await terminal.run()
      }
      return (recorder.withLock { $0 }, .success(exit))
    } catch { return (recorder.withLock { $0 }, .failure(error)) }
  }

  private func lookOn(
    _ tree: ObjectPath, _ tell: (TerminalSession.Moment) -> Void
  ) async throws(ClientError) -> ToolExit {
    let mirror = try await WindowMirror.attach(to: tree, of: session.daemon, kind: "recorder", screenKinds: [], isComplete: true)
    for try await event in mirror.events {
      tell(.event(event))
      if case .ended(let end) = event { return end.exitCode }
    }
    return .success
  }

  /// Writes the file with mode 0600, because a user's answers are private.
  private func save(_ text: String, _ path: String?) throws(ToolFailure) {
    guard let path else { return session.output.write(text) }
    do {
      try FileContent.write(Array(text.utf8), to: path, mode: 0o600)
    } catch {
      session.output.write(text)
      throw ToolFailure(["cannot write '\(path.printable)': \(error); the answers are above"])
    }
  }
}

extension Recorder {
  fileprivate func heading(_ flow: String, isWhole: Bool, player: String) -> [String] {
    let end =
      switch end {
      case .finished: "until it finished"
      case .cancelled: "until it was cancelled"
      case .stopped: "until coordinatord was stopped"
      case .failed: "until it failed"
      case .lost, nil: "which is still running"
      }
    var lines = ["The answers to \(flow), \(end). Play them with: \(player)"]
    if !isWhole { lines.append("Answers given before the recording began are missing.") }
    if hasGaps { lines.append("Values entered in other renderers are not known: comments mark where to check them.") }
    return lines
      + credentials.map { "It requires the credential \($0), a file in $CREDENTIALS_DIRECTORY; or write { fd: 3 } instead." }
  }
}

/// `coordinatorctl record --exec`: runs a program, and records its answers to a file.
public struct RecordProgram: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Runs a program to its end. The file is written when the program has ended, or the user has left.
  ///
  /// - Parameters:
  ///   - order: program to run.
  ///   - options: options of the command.
  ///   - reader: source of the user's lines.
  ///   - screen: terminal of the conversation.
  ///   - write: closure that writes the conversation.
  /// - Returns: the exit status of the program, in the format of a shell.
  /// - Throws: ``ToolFailure`` if nothing was started, or the file cannot be written; in the latter case the program continues.
  public func run(
    _ order: ProgramOrder, _ options: RecordOptions, reader: LineReader, screen: TerminalScreen,
    write: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
    let signals = ProcessSignals.take([SIGINT, SIGTERM])
    let program: RunningProgram
    do {
      program = try await RunningProgram(order, session)
    } catch let error as ProgramNotStarted {
      return error.status
    }
    let obedience = Task {
      guard let signals else { return }
      for await _ in signals { await program.end() }
    }
    defer { obedience.cancel() }
    write(program.announcement)
    let ending = Task { await program.ending() }
    try await RecordAnswers(session).run(program, options, reader: reader, screen: screen, write: write)
    if await !program.hasEnded {
      write("coordinatorctl: the program goes on. Ctrl-C ends it; coordinator-tui \(program.name) shows it again\n")
    }
    return await ending.value.shellStatus(write)
  }
}

/// The options of the `record` command.
public struct RecordOptions: Sendable, Hashable {
  /// A flow tree or a flow; nil for the only active tree.
  public var target: String?
  /// The input of a flow that is started.
  public var input: [Assignment]
  /// The token of a flow that is started.
  public var token: String?
  /// The path of the file to write; nil for the tool's output.
  public var path: String?
  /// Whether to only observe while other renderers answer.
  public var isOnlooker: Bool

  /// Creates options with the given values.
  public init(
    target: String?, input: [Assignment] = [], token: String? = nil, path: String? = nil, isOnlooker: Bool = false
  ) {
    self.target = target
    self.input = input
    self.token = token
    self.path = path
    self.isOnlooker = isOnlooker
  }
}
