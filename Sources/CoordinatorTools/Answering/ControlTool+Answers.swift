import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc

/// Playing a flow by an answers file.
extension ControlTool {
  /// What `answer` is told on its command line.
  public struct AnswerOptions: Sendable, Hashable {
    /// The file; `-` for standard input.
    public var path: String
    /// More input, which goes before that of the file.
    public var input: [Assignment]
    /// The flow tree to play on in; nil to start a flow.
    public var tree: String?
    /// The token of the flow that is started; without one it is dismissed when it is not played to its end.
    public var token: String?
    /// What to do where an answer is missing; goes before what the file says.
    public var missing: MissingPolicy?
    /// Whether answers that were not asked for are an error.
    public var isStrict: Bool
    /// After how many microseconds to give up.
    public var limit: UInt64?

    /// Options with every part given.
    public init(
      path: String, input: [Assignment] = [], tree: String? = nil, token: String? = nil, missing: MissingPolicy? = nil,
      isStrict: Bool = false, limit: UInt64? = nil
    ) {
      self.path = path
      self.input = input
      self.tree = tree
      self.token = token
      self.missing = missing
      self.isStrict = isStrict
      self.limit = limit
    }
  }

  /// Starts a flow, or takes one that runs, and answers its screens from a file until it ends.
  ///
  /// - Parameters:
  ///   - options: The command line.
  ///   - environment: The environment of the process.
  ///   - complain: Where warnings go.
  /// - Returns: What to exit with.
  /// - Throws: `ToolFailure`, for example with the exit code for a missing answer.
  public func answer(
    _ options: AnswerOptions, environment: [String: String], complain: @escaping @Sendable (String) -> Void
  ) async throws(ToolFailure) -> ToolExit {
    let file = try answersFile(options.path)
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    let (tree, flow) = try await target(of: file, options, flows)
    let policy = options.missing ?? file.missing ?? .fail
    let person = policy == .ask ? AnswerSession.Person(environment: environment, write: complain) : nil
    let session = AnswerSession(
      daemon: daemon, tree: tree, secrets: SecretReader(environment: environment), person: person, limit: options.limit)
    let player = AnswerPlayer(
      file, policy: policy, canAsk: person != nil, names: FlowNames(root: flow, flows: flows.map(\.name)),
      requests: "answer-\(UInt64.random(in: 0 ... .max))")
    let ending = try await doing { () async throws(ClientError) in try await session.run(player) }
    switch ending {
    case .stopped(var failure):
      if options.tree != nil || options.token != nil {
        failure.lines.append("  the flow goes on: coordinator-tui \(TreeSelector.name(tree))")
      }
      throw failure
    case .ended(let end, let unused):
      output.say(end.resultLines, json: JSONValue(end))
      for key in unused { complain("coordinatorctl: not asked for: \(key)".printable + "\n") }
      return options.isStrict && !unused.isEmpty && end.exitCode == .success ? .error : end.exitCode
    }
  }

  func answersFile(_ path: String) throws(ToolFailure) -> AnswersFile {
    guard let text = readFile(path == "-" ? "/dev/stdin" : path) else { throw ToolFailure(["cannot read '\(path.printable)'"]) }
    do {
      return try AnswersFile(yaml: text)
    } catch {
      throw ToolFailure(error, path: path)
    }
  }

  /// The tree to play in, and the flow of its root.
  private func target(
    of file: AnswersFile, _ options: AnswerOptions, _ flows: [FlowListing]
  ) async throws(ToolFailure) -> (ObjectPath, flow: String) {
    guard let tree = options.tree else {
      guard let flow = file.flow else {
        throw ToolFailure(["\(options.path.printable): says no 'flow' to start; name a flow tree with --tree"])
      }
      return (try await start(flow, file, options, flows), flow)
    }
    guard options.input.isEmpty, options.token == nil else {
      throw ToolFailure(["a flow tree that is running already takes no input and no token"], exit: .usage)
    }
    let root = try await root(tree)
    let flow = try await doing { () async throws(ClientError) in try await daemon.coordinator(root).details() }.flow
    guard file.flow == nil || file.flow == flow else {
      throw ToolFailure(["\(options.path): is for '\(file.flow ?? "")', and \(TreeSelector.name(root)) is '\(flow)'".printable])
    }
    return (root, flow)
  }

  /// An unattended run that is cut short leaves nothing half done behind, unless a token says that it is to be taken up again.
  private func start(
    _ flow: String, _ file: AnswersFile, _ options: AnswerOptions, _ flows: [FlowListing]
  ) async throws(ToolFailure) -> ObjectPath {
    let schema = flows.first { $0.name == flow }?.input
    let input = AnswerText.input(file.input, schema: schema).merging(try object(options.input, schema)) { $1 }
    return try await explaining(flow) { () async throws(ClientError) in
      try await daemon.manager.startFlow(
        flow, input: input, options: Options(token: options.token, lifetime: options.token == nil ? .caller : .daemon)
      ).coordinator
    }
  }
}

extension AnswerSession.Person {
  /// The person at the terminal; nil if there is none, or who could not see what is asked.
  init?(environment: [String: String], write: @escaping @Sendable (String) -> Void) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    self.init(
      reader: LineReader(descriptor: STDIN_FILENO), screen: TerminalScreen(environment: environment, output: STDERR_FILENO),
      write: write)
  }
}
