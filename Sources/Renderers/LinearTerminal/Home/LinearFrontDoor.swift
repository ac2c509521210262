import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Lists what runs and what can be started, line by line, and shows what the user chooses.
struct LinearFrontDoor: Sendable {
  private enum Decision: Sendable {
    case open(ObjectPath)
    case leave(ToolExit)
  }

  private enum News: Sendable {
    case home(HomeNews)
    case line(LineReader.Line)
    case started(ObjectPath)
    case refused(ClientError)
  }

  let daemon: DaemonClient
  let reader: LineReader
  let style: TextStyle
  let kind: LinearTerminal.Kind
  let write: @Sendable (String) -> Void

  /// Shows the front door, and one flow after the other, until the user leaves. Over a pipe, one flow.
  ///
  /// - Returns: the exit code: over a pipe that of the flow.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  func run() async throws(ClientError) -> ToolExit {
    while true {
      switch try await choose() {
      case .leave(let exit): return exit
      case .open(let tree):
        let flow = TerminalSession(daemon: daemon, tree: tree, reader: reader, style: style, kind: kind, write: write)
        let exit = try await flow.run()
        if kind == .pipe || reader.isAtEnd { return exit }
      }
    }
  }

  private func choose() async throws(ClientError) -> Decision {
    let watch = try await HomeWatch.begin(of: daemon, language: daemon.language)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let homes = Task { for await piece in watch.news { continuation.yield(.home(piece)) } }
    let lines = Task { for await line in reader.lines { continuation.yield(.line(line)) } }
    defer {
      homes.cancel()
      lines.cancel()
      TerminalEcho.turnOn()
    }
    let decision = try await converse(news) { continuation.yield($0) }
    await watch.close()
    return decision
  }

  private func converse(
    _ news: AsyncStream<News>, tell: @escaping @Sendable (News) -> Void
  ) async throws(ClientError) -> Decision {
    var desk = HomeDesk(style: style, isInteractive: kind != .pipe)
    var terminal = ConversationTerminal(kind, reader: reader, write: write)
    for await piece in news {
      let input: HomeDesk.Input
      switch piece {
      case .home(.failed(let error)): throw error
      case .home(.away) where !desk.isOpen: throw .noDaemon
      case .home(let news): input = .news(news)
      case .line(.text(let text)):
        terminal.answered(text)
        input = .conversation(.line(text))
      case .line(.end):
        terminal.answered(nil)
        input = .conversation(.endOfInput)
      case .started(let tree): return .open(tree)
      case .refused(let error): input = .refused(error)
      }
      for effect in RendererLanguages.standard.speaking(nil, { desk.handle(input, at: .now) }) {
        switch effect {
        case .write(let effect): terminal.show(effect)
        case .open(let tree): return .open(tree)
        case .leave(let exit): return .leave(exit)
        case .start(let flow, let input): Task { tell(await start(flow, input)) }
        }
      }
    }
    return .leave(.success)
  }

  private func start(_ flow: String, _ input: [String: JSONValue]) async -> News {
    do throws(ClientError) {
      return .started(try await daemon.manager.startFlow(flow, input: input).coordinator)
    } catch {
      return .refused(error)
    }
  }
}
