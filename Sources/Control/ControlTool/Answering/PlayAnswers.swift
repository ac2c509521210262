import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import LinearTerminal
import RendererKit

/// `coordinatorctl answer`: plays a flow according to an answers file.
public struct PlayAnswers: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Starts a flow, or continues a running one, and answers its screens from a file until it ends.
  ///
  /// - Parameters:
  ///   - options: options of the command.
  ///   - environment: environment of the process.
  ///   - complain: closure that writes warnings.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``, for example with the exit code for a missing answer.
  public func run(
    _ options: AnswerOptions, environment: [String: String], complain: @escaping @Sendable (String) -> Void
  ) async throws(ToolFailure) -> ToolExit {
    let file = try answersFile(options.path)
    let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
    if options.isCheck {
      let check = AnswersCheck(file, options, session)
      let listing = try check.run(among: flows, SecretReader(environment: environment))
      guard listing.isRehearsable else { return check.report(untried: listing) }
    }
    let ended = await session.endedToken(Options(token: options.token, fresh: options.isFresh))
    let (tree, flow) = try await target(of: file, options, flows)
    if let ended { return try report(ended, complain) }
    // A check never asks the user for missing answers.
    let policy = options.missing ?? file.missing ?? .fail
    let person = policy == .ask && !options.isCheck ? AnswerSession.Person(environment: environment, write: complain) : nil
    let play = AnswerSession(
      daemon: session.daemon, tree: tree, secrets: PendingSecrets(SecretReader(environment: environment)), person: person,
      limit: options.limit, patience: options.isCheck ? nil : options.patience, complain: complain)
    let player = AnswerPlayer(
      file, policy: policy, canAsk: person != nil, names: FlowNames(root: flow, flows: flows.map(\.name)),
      requests: "answer-\(UInt64.random(in: 0 ... .max))")
    let ending = try await session.doing { () async throws(ClientError) in try await play.run(player) }
    switch ending {
    case .stopped(var failure):
      if options.tree != nil || options.token != nil {
        failure.lines.append("  the flow continues: coordinator-tui \(TreeSelector.name(tree))")
      } else {
        // The daemon would dismiss the flow once this process disconnects. Until then, other clients would still see
        // it.
        _ = try? await session.daemon.coordinator(tree).dismiss()
      }
      throw failure
    case .ended(let end, let unused):
      session.output.say(end.resultLines, json: JSONValue(end))
      for key in unused { complain("coordinatorctl: never requested: \(key)".printable + "\n") }
      return options.isStrict && !unused.isEmpty && end.exitCode == .success ? .error : end.exitCode
    }
  }

  /// Answers the screens of a program until the program ends.
  ///
  /// - Parameters:
  ///   - answers: answers.
  ///   - tree: flow tree that shows the program.
  ///   - environment: environment of the process.
  ///   - complain: closure that writes warnings.
  /// - Throws: ``ToolFailure``, for example with the exit code for a missing answer.
  func play(
    _ answers: ProgramAnswers, in tree: ObjectPath, environment: [String: String],
    complain: @escaping @Sendable (String) -> Void
  ) async throws(ToolFailure) {
    let flow = RunningProgram.flow
    let policy = answers.missing ?? answers.file.missing ?? .fail
    let person = policy == .ask ? AnswerSession.Person(environment: environment, write: complain) : nil
    let play = AnswerSession(
      daemon: session.daemon, tree: tree, secrets: PendingSecrets(SecretReader(environment: environment)), person: person,
      limit: nil, patience: 30_000_000, complain: complain)
    let player = AnswerPlayer(
      answers.file, policy: policy, canAsk: person != nil, names: FlowNames(root: flow, flows: [flow]),
      requests: "answer-\(UInt64.random(in: 0 ... .max))")
    switch try await session.doing({ () async throws(ClientError) in try await play.run(player) }) {
    case .stopped(let failure): throw failure
    case .ended(_, let unused):
      for key in unused { complain("coordinatorctl: never requested: \(key)".printable + "\n") }
    }
  }

  /// Reports the end of a flow that had ended before this run. Playing a file again with the same token succeeds if the
  /// flow has finished.
  private func report(_ ended: EndedToken, _ complain: (String) -> Void) throws(ToolFailure) -> ToolExit {
    session.output.say(ended.end.resultLines, json: JSONValue(ended.end))
    guard ended.end.exitCode == .success else { throw ended.failure }
    complain(ended.warning)
    return .success
  }

  /// Reads and decodes an answers file; `-` is standard input.
  func answersFile(_ path: String) throws(ToolFailure) -> AnswersFile {
    guard let text = StandardStreams.readAll(path, keepsLineBreak: true) else {
      throw ToolFailure(["cannot read '\(path.printable)' as text in UTF-8"])
    }
    do {
      return try AnswersFile(yaml: text)
    } catch {
      throw ToolFailure(error, path: path)
    }
  }

  /// Returns the tree to play in, and the flow of its root.
  private func target(
    of file: AnswersFile, _ options: AnswerOptions, _ flows: [FlowListing]
  ) async throws(ToolFailure) -> (ObjectPath, flow: String) {
    guard let tree = options.tree else {
      guard let flow = file.flow else {
        throw ToolFailure(["\(options.path.printable): does not name a 'flow' to start; name a flow tree with --tree"])
      }
      return (try await start(flow, file, options, flows), flow)
    }
    guard options.input.isEmpty, options.token == nil else {
      throw ToolFailure(["a running flow tree accepts neither input nor a token"], exit: .usage)
    }
    let root = try await session.root(tree)
    let flow = try await session.doing { () async throws(ClientError) in try await session.daemon.coordinator(root).details() }
      .flow
    guard file.flow == nil || file.flow == flow else {
      throw ToolFailure(["\(options.path): is for '\(file.flow ?? "")', but \(TreeSelector.name(root)) is '\(flow)'".printable])
    }
    return (root, flow)
  }

  /// Starts the flow. Without a token, an interrupted run leaves nothing behind; a token means that the run can be
  /// continued later.
  private func start(
    _ flow: String, _ file: AnswersFile, _ options: AnswerOptions, _ flows: [FlowListing]
  ) async throws(ToolFailure) -> ObjectPath {
    let input = try AnswersCheck(file, options, session).input(flows.first { $0.name == flow }?.input)
    return try await session.explaining(flow) { () async throws(ClientError) in
      try await session.daemon.manager.startFlow(
        flow, input: input,
        options: Options(
          token: options.token, lifetime: options.token == nil ? .caller : .daemon, fresh: options.isFresh ? true : nil)
      ).coordinator
    }
  }
}

extension AnswerSession.Person {
  /// Creates a user at the terminal; nil if standard input or standard error is not a terminal.
  init?(environment: [String: String], write: @escaping @Sendable (String) -> Void) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    self.init(
      reader: LineReader(descriptor: STDIN_FILENO), screen: TerminalScreen(environment: environment, output: STDERR_FILENO),
      write: write)
  }
}
