import CoordinatorBus
import CoordinatorClient
import DBus
import Languages
import RendererKit

/// Drives a ``Conversation``: observes the window of a flow tree, reads answers, and performs the conversation's effects.
public struct TerminalSession: Sendable {
  private enum News: Sendable {
    case input(Conversation.Input)
    case failed(ClientError)
  }

  private let daemon: DaemonClient
  private let tree: ObjectPath
  private let reader: LineReader
  private let style: TextStyle
  private let kind: LinearTerminal.Kind
  private let write: @Sendable (String) -> Void
  private let policy: KioskPolicy
  private let observe: (@Sendable (Moment) -> Void)?

  /// An event that a session reports to its observer.
  package enum Moment: Sendable, Hashable {
    /// The mirror of the flow tree's window has emitted an event.
    case event(WindowEvent)
    /// The user has answered a screen; reported before the daemon is called.
    case answered(Delegation)
    /// The user has gone back from a screen; reported before the daemon is called.
    case wentBack(screen: UInt64)
    /// The daemon refused the last reported call.
    case refused
  }

  /// Creates a session for a flow tree.
  ///
  /// - Parameters:
  ///   - daemon: client of the daemon.
  ///   - tree: path of the root coordinator.
  ///   - reader: source of the user's lines.
  ///   - style: style of lines.
  ///   - kind: kind of the output. Over a pipe, the session is not interactive.
  ///   - write: closure that writes text without buffering.
  ///   - policy: whether users can leave.
  public init(
    daemon: DaemonClient, tree: ObjectPath, reader: LineReader, style: TextStyle, kind: LinearTerminal.Kind,
    write: @escaping @Sendable (String) -> Void, policy: KioskPolicy = .none
  ) {
    self.init(
      daemon: daemon, tree: tree, reader: reader, style: style, kind: kind, write: write, policy: policy, observe: nil)
  }

  /// Creates a session with an observer. The observer receives every window, including outdated ones.
  package init(
    daemon: DaemonClient, tree: ObjectPath, reader: LineReader, style: TextStyle, kind: LinearTerminal.Kind,
    write: @escaping @Sendable (String) -> Void, policy: KioskPolicy = .none, observe: (@Sendable (Moment) -> Void)?
  ) {
    self.policy = policy
    self.observe = observe
    self.daemon = daemon
    self.tree = tree
    self.reader = reader
    self.style = style
    self.kind = kind
    self.write = write
  }

  /// Runs the conversation until the flow ends or the user leaves.
  ///
  /// - Returns: the exit code.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  public func run() async throws(ClientError) -> ToolExit {
    let mirror = try await WindowMirror.attach(
      to: tree, of: daemon, kind: "terminal", name: TerminalName.current, isComplete: observe != nil)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let events = Task {
      do throws(ClientError) {
        for try await event in mirror.events {
          if case .ended(.finished) = event { continuation.yield(.input(.flow(await daemon.flow(ofEnded: tree)))) }
          continuation.yield(.input(.event(event)))
        }
      } catch {
        continuation.yield(.failed(error))
      }
    }
    let lines = Task { [policy] in
      for await line in reader.lines {
        switch line {
        // The keys of a locked terminal that have no effect there, such as Ctrl-C, are characters of the line.
        case .text(let text) where policy.isLocked: continuation.yield(.input(.line(text.withoutControls)))
        case .text(let text): continuation.yield(.input(.line(text)))
        case .end: continuation.yield(.input(.endOfInput))
        }
      }
    }
    defer {
      events.cancel()
      lines.cancel()
      TerminalEcho.turnOn()
    }
    let exit = try await converse(news) { continuation.yield(.input($0)) }
    await mirror.close()
    return exit
  }

  private func converse(
    _ news: AsyncStream<News>, answer: @escaping @Sendable (Conversation.Input) -> Void
  ) async throws(ClientError) -> ToolExit {
    // A script cannot know the number of other renderers, so it is always asked.
    var conversation = Conversation(
      tree: TreeSelector.name(tree), style: style, isInteractive: kind != .pipe, farewell: policy.isLocked ? [] : nil,
      client: daemon.connection.uniqueName, countsOthers: kind != .pipe)
    var terminal = ConversationTerminal(kind, reader: reader, write: write)
    for await piece in news {
      let input: Conversation.Input
      switch piece {
      case .failed(let error): throw error
      case .input(let news): input = news
      }
      tell(input)
      if let line = input.line { terminal.answered(line.text) }
      conversation.now = .now
      let language = input.language ?? conversation.window?.language
      for effect in RendererLanguages.standard.speaking(language, { conversation.handle(input) }) {
        if case .leave(let exit) = effect { return exit }
        terminal.show(effect)
        carryOut(effect, answer: answer)
      }
    }
    return .success
  }

  private func tell(_ input: Conversation.Input) {
    switch input {
    case .event(let event): observe?(.event(event))
    case .refused: observe?(.refused)
    default: break
    }
  }

  private func carryOut(_ effect: Conversation.Effect, answer: @escaping @Sendable (Conversation.Input) -> Void) {
    let calls = FlowCalls(daemon, tree: tree)
    switch effect {
    case .delegate(let delegation):
      observe?(.answered(delegation))
      Task { answer(await Self.input { () async throws(ClientError) in try await calls.delegate(delegation) }) }
    case .saveDraft(let screen, let values): Task { try? await calls.saveDraft(values, on: screen) }
    case .back(let screen):
      observe?(.wentBack(screen: screen))
      Task { answer(await Self.input { () async throws(ClientError) in try await calls.back(from: screen) }) }
    case .countOthers: Task { answer(.counted(others: await calls.otherRenderers())) }
    case .print, .prompt, .withdrawPrompt, .interruptPrompt, .leave: break
    }
  }

  private static func input(of call: () async throws(ClientError) -> UInt64) async -> Conversation.Input {
    do throws(ClientError) {
      return .accepted(revision: try await call())
    } catch {
      return .refused(error)
    }
  }
}

extension String {
  fileprivate var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

extension Conversation.Input {
  fileprivate var language: LanguageTag? { if case .event(let event) = self { event.language } else { nil } }

  /// The input that completes the line of a prompt: an answer, or, without text, the end of the input.
  fileprivate var line: (text: String?, Void)? {
    switch self {
    case .line(let text): (text, ())
    case .endOfInput: (nil, ())
    default: nil
    }
  }
}

/// Guides a user through a flow line by line.
public struct LinearMode: Sendable {
  private let session: ToolSession
  private let reader: LineReader
  private let kind: LinearTerminal.Kind
  private let policy: KioskPolicy

  /// Creates the mode.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon, and the output.
  ///   - reader: source of the user's lines.
  ///   - kind: kind of the output.
  ///   - policy: whether users can leave.
  public init(
    _ session: ToolSession, reader: LineReader, _ kind: LinearTerminal.Kind, policy: KioskPolicy = .none
  ) {
    self.policy = policy
    self.session = session
    self.reader = reader
    self.kind = kind
  }

  /// Attaches to a flow tree or starts a flow, and guides the user through it.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the front door, which lists them.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func run(_ text: String?, _ assignments: [Assignment], token: String?) async throws(ToolFailure) -> ToolExit {
    if text == nil, assignments.isEmpty, token == nil {
      let door = LinearFrontDoor(
        daemon: session.daemon, reader: reader, style: session.output.style, kind: kind, write: session.output.write)
      return try await session.doing { () async throws(ClientError) in try await door.run() }
    }
    return try await run(in: try await session.open(text, assignments, token: token))
  }

  /// Guides the user through a flow tree.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  package func run(in tree: ObjectPath) async throws(ToolFailure) -> ToolExit {
    try await session.doing { () async throws(ClientError) in
      let terminal = TerminalSession(
        daemon: session.daemon, tree: tree, reader: reader, style: session.output.style, kind: kind,
        write: session.output.write, policy: policy)
      return try await terminal.run()
    }
  }
}
