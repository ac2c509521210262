import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import LinearTerminal
import Platform
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
    var flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
    if options.isCheck {
      var reason: String?
      if let flow = file.flow { (flows, reason) = try await session.flows(including: flow) }
      let check = AnswersCheck(file, options, session)
      let providers = try await session.doing { () async throws(ClientError) in
        try await session.daemon.manager.listProviders()
      }
      let listing = try check.run(
        among: flows, internalFlows: providers.flatMap(\.flows), SecretReader(environment: environment), whereUnknown: reason)
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
        _ = try? await session.namedDaemon.coordinator(tree).dismiss()
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
      try await session.namedDaemon.manager.startFlow(
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

/// Derives the flow names of coordinators from their paths. Needs no call, so it also works for coordinators that have
/// ended.
package struct FlowNames: Sendable, Hashable {
  private let root: String
  /// The flow names, by their form in a path.
  private let flows: [String: String]

  /// Creates the names for one flow tree.
  ///
  /// - Parameters:
  ///   - root: flow of the root coordinator, whose path may consist of a token instead.
  ///   - flows: names of all flows.
  package init(root: String, flows: [String]) {
    self.root = root
    self.flows = Dictionary(flows.map { (FlowDescription($0, title: "").element, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the flow names of the coordinators from the root to the given one.
  func path(to coordinator: ObjectPath) -> [String] {
    [root] + coordinator.elements.dropFirst(Contract.flowsPath.elements.count + 1).map(flow)
  }

  /// Returns the flow name of a child, given the last element of its path, such as `schedule_visit_1`.
  private func flow(_ element: Substring) -> String {
    let name = element.bytes.cutLast(at: "_")?.before ?? element
    return flows[String(name)] ?? name.bytes.replacing("_", with: "-")
  }
}

/// Keeps the secrets read for a move until the daemon accepts it. A line can be read from a descriptor only once, but a move
/// may be made several times. Safe to use from any thread.
package final class PendingSecrets: Sendable {
  private struct Kept: Sendable {
    var references: [AnswerMove.Reference] = []
    var secrets: [Int: Secret] = [:]
  }

  private let reader: SecretReader
  private let kept = Lock(Kept())

  /// Creates an empty store.
  package init(_ reader: SecretReader) { self.reader = reader }

  /// Returns a secret. Reads it unless it was already read for the same references.
  package func read(
    _ reference: SecretReference, for references: [AnswerMove.Reference], at index: Int
  ) async throws(SecretReader.Unreadable) -> Secret {
    let known = kept.withLock { kept in
      if kept.references != references { kept = Kept(references: references) }
      return kept.secrets[index]
    }
    if let known { return known }
    let secret = try await reader.read(reference)
    kept.withLock { $0.secrets[index] = secret }
    return secret
  }

  /// Wipes all secrets that were read.
  package func forget() {
    kept.withLock { kept in
      for secret in kept.secrets.values { secret.wipe() }
      kept = Kept()
    }
  }
}

/// A token whose flow has already ended, so that a command with this token starts nothing.
struct EndedToken: Sendable, Hashable {
  /// The token.
  var token: String
  /// The end of its flow.
  var end: FlowEnd

  /// The failure of a command that would start the flow, and has the option `--fresh`.
  var failure: ToolFailure { failure(isFreshKnown: true) }

  /// Returns the failure of a command that would start the flow.
  ///
  /// - Parameter isFreshKnown: whether the command has the option `--fresh`.
  /// - Returns: the failure, with advice.
  func failure(isFreshKnown: Bool) -> ToolFailure {
    let name = token.printable
    return ToolFailure(
      [
        "nothing was started: '\(name)' has already ended (\(end.name)), and its token still refers to it",
        "  to start a flow again, " + (isFreshKnown ? "repeat the command with --fresh, or " : "")
          + "run 'coordinatorctl forget \(name)', or use another token",
      ], exit: .alreadyEnded)
  }

  /// The same text for standard error, for a command that succeeds nevertheless.
  var warning: String { "coordinatorctl: " + failure.lines.map { $0 + "\n" }.joined() }
}

extension ToolSession {
  /// Returns the end of the flow that a call would otherwise start; nil if the call starts or joins a flow.
  ///
  /// - Parameter options: options of the call; `token` and `fresh` apply.
  /// - Returns: the token and the end.
  func endedToken(_ options: Options) async -> EndedToken? {
    guard let token = options.token, options.fresh != true, let end = await end(of: token) else { return nil }
    return EndedToken(token: token, end: end)
  }
}
