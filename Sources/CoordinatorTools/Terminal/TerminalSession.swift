import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc

/// Drives a ``Conversation``: follows a flow tree's window, reads answers, and carries out what the conversation decides.
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

  /// A session on a flow tree.
  ///
  /// - Parameters:
  ///   - daemon: The daemon.
  ///   - tree: The path of the root coordinator.
  ///   - reader: Where answers come from.
  ///   - style: How lines may look.
  ///   - kind: What there is to write to; over a pipe nobody is taken to be at the keyboard.
  ///   - write: Writes text, and shows it at once.
  public init(
    daemon: DaemonClient, tree: ObjectPath, reader: LineReader, style: TextStyle, kind: LinearTerminal.Kind,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.daemon = daemon
    self.tree = tree
    self.reader = reader
    self.style = style
    self.kind = kind
    self.write = write
  }

  /// Talks until the flow ends or its user leaves.
  ///
  /// - Returns: What to exit with.
  /// - Throws: `ClientError` if there is no daemon, or the bus is lost.
  public func run() async throws(ClientError) -> ToolExit {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "terminal")
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let events = Task {
      do throws(ClientError) {
        for try await event in mirror.events { continuation.yield(.input(.event(event))) }
      } catch {
        continuation.yield(.failed(error))
      }
    }
    let lines = Task {
      for await line in reader.lines {
        switch line {
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
    var conversation = Conversation(tree: TreeSelector.name(tree), style: style, isInteractive: kind != .pipe)
    var terminal = LinearTerminal(kind)
    var isReading = false
    for await piece in news {
      let input: Conversation.Input
      switch piece {
      case .failed(let error): throw error
      case .input(let news): input = news
      }
      if let line = input.line {
        isReading = false
        TerminalEcho.turnOn()
        write(terminal.answered(line.text))
      }
      for effect in conversation.handle(input) {
        if case .leave(let exit) = effect { return exit }
        if carryOut(effect, on: &terminal, answer: answer), !isReading {
          isReading = true
          reader.request()
        }
      }
    }
    return .success
  }

  /// Does what was decided.
  ///
  /// - Returns: Whether a line is waited for.
  private func carryOut(
    _ effect: Conversation.Effect, on terminal: inout LinearTerminal,
    answer: @escaping @Sendable (Conversation.Input) -> Void
  ) -> Bool {
    switch effect {
    case .print(let lines): write(terminal.print(lines))
    case .prompt(let prompt):
      if prompt.isSecret { TerminalEcho.turnOff() }
      write(terminal.ask(prompt))
      return true
    case .withdrawPrompt:
      TerminalEcho.turnOn()
      // What has been typed so far was meant for the screen that is gone.
      if kind != .pipe { tcflush(STDIN_FILENO, TCIFLUSH) }
      write(terminal.withdrawPrompt())
    case .interruptPrompt: write(terminal.interruptPrompt())
    case .showProgress(let line): write(terminal.show(progress: line))
    case .delegate(let delegation): Task { answer(await delegate(delegation)) }
    case .saveDraft(let screen, let values): Task { await saveDraft(screen, values) }
    case .back(let screen): Task { answer(await back(from: screen)) }
    case .leave: break
    }
    return false
  }

  private func delegate(_ delegation: Delegation) async -> Conversation.Input {
    do {
      let revision = try await daemon.coordinator(delegation.coordinator).delegate(
        screen: delegation.screen, event: delegation.event, payload: delegation.payload,
        options: Options(seen: delegation.seen))
      return .accepted(revision: revision)
    } catch {
      return .refused(error)
    }
  }

  private func saveDraft(_ screen: UInt64, _ values: [String: JSONValue]) async {
    guard let router = try? Contract.routerPath(of: tree) else { return }
    try? await daemon.router(router).saveDraft(screen: screen, values: values)
  }

  private func back(from screen: UInt64) async -> Conversation.Input {
    do throws(ClientError) {
      guard let router = try? Contract.routerPath(of: tree) else { throw .malformedAnswer(tree.string) }
      return .accepted(revision: try await daemon.router(router).back(screen: screen))
    } catch {
      return .refused(error)
    }
  }
}

extension Conversation.Input {
  /// What ends the line of a prompt: an answer, or, with no text, the end of the input.
  fileprivate var line: (text: String?, Void)? {
    switch self {
    case .line(let text): (text, ())
    case .endOfInput: (nil, ())
    default: nil
    }
  }
}
