import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Drives a ``HomeDisplay``: follows the running flows and the startable ones, paints, reads keys, and performs the display's
/// effects.
struct HomeSession: Sendable {
  /// The user's decision.
  enum Choice: Sendable, Hashable {
    /// Show a flow tree with this title.
    case open(ObjectPath, title: String)
    /// Leave, with this exit code.
    case leave(ToolExit)
  }

  private enum News: Sendable {
    case terminal(CursesTerminal.Input)
    case input(HomeDisplay.Input)
  }

  let daemon: DaemonClient
  let terminal: CursesTerminal

  /// Shows the front door until the user has decided. Does not restore the terminal.
  ///
  /// - Parameter display: display, which keeps its filter and its selection for the next time.
  /// - Returns: the user's decision.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  func run(_ display: inout HomeDisplay) async throws(ClientError) -> Choice {
    let watch = try await HomeWatch.begin(of: daemon, language: daemon.language)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let homes = Task { for await piece in watch.news { continuation.yield(.input(.news(piece))) } }
    let inputs = Task { for await input in terminal.inputs() { continuation.yield(.terminal(input)) } }
    defer {
      homes.cancel()
      inputs.cancel()
    }
    let choice = try await show(&display, news, watch) { continuation.yield(.input($0)) }
    await watch.close()
    return choice
  }

  private func show(
    _ display: inout HomeDisplay, _ news: AsyncStream<News>, _ watch: HomeWatch,
    answer: @escaping @Sendable (HomeDisplay.Input) -> Void
  ) async throws(ClientError) -> Choice {
    var size = Size(columns: 0, rows: 0)
    for await piece in news {
      let input: HomeDisplay.Input?
      switch piece {
      case .input(.news(.failed(let error))): throw error
      case .input(let news): input = news
      case .terminal(let news): input = Self.input(news, &size)
      }
      let effects = RendererLanguages.standard.speaking(nil) { input.map { display.handle($0, at: .now) } ?? [] }
      for effect in effects {
        switch effect {
        case .leave(let exit): return .leave(exit)
        case .open(let tree): return .open(tree, title: title(of: tree, display))
        case .refresh: await watch.refresh()
        case .start(let flow, let input):
          Task { answer(await start(flow, input)) }
        }
      }
      let frame = RendererLanguages.standard.speaking(nil) { display.draw(in: size, at: .now) }
      terminal.paint(frame)
    }
    return .leave(.success)
  }

  private func title(of tree: ObjectPath, _ display: HomeDisplay) -> String {
    let running = display.home?.running.first { $0.coordinator == tree }
    return running?.title.text ?? display.selected?.title(in: daemon.language).text ?? TreeSelector.name(tree)
  }

  private func start(_ flow: String, _ input: [String: JSONValue]) async -> HomeDisplay.Input {
    do throws(ClientError) {
      return .started(try await daemon.manager.startFlow(flow, input: input).coordinator)
    } catch {
      return .refused(error)
    }
  }

  private static func input(_ news: CursesTerminal.Input, _ size: inout Size) -> HomeDisplay.Input? {
    switch news {
    case .key(let key): return .key(key)
    case .interrupted: return .interrupted
    case .beat: return .beat
    case .lost: return .terminalLost
    case .resized(let new):
      size = new
      return nil
    }
  }
}

/// Shows the front door, and the flows that are opened from it, until the user leaves.
struct FrontDoorSession: Sendable {
  let session: ToolSession
  let terminal: CursesTerminal
  let manner: DisplayManner
  /// The options that select the daemon's bus, for child processes.
  let bus: [String]

  /// Shows the front door. Does not restore the terminal.
  ///
  /// - Returns: the exit code, and the lines to write after the terminal has been restored.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  func run() async throws(ClientError) -> (exit: ToolExit, lines: [String]) {
    var display = HomeDisplay(name: manner.product, font: manner.font, accent: manner.accent)
    while true {
      switch try await HomeSession(daemon: session.daemon, terminal: terminal).run(&display) {
      case .leave(let exit): return (exit, display.unsentLines)
      case .open(let tree, let title):
        let screen = FullScreenSession(
          daemon: session.daemon, tree: tree, terminal: terminal, manner: manner,
          phone: PhoneDriver(tree: TreeSelector.name(tree), bus: bus))
        let ending = try await screen.run()
        guard ending.end != nil || ending.exit == .success else {
          return (ending.exit, display.unsentLines + ending.lines)
        }
        _ = RendererLanguages.standard.speaking(nil) {
          let notice = ending.end.map { DisplayNotice($0, of: title) }
          return display.handle(.returned(tree, notice, unsent: ending.unsent), at: .now)
        }
      }
    }
  }
}

extension DisplayNotice {
  /// Creates the notice that a flow has ended.
  fileprivate init(_ end: FlowEnd, of title: String) {
    let level: ScreenMessage.Level =
      switch end {
      case .finished, .cancelled: .info
      case .stopped, .lost: .warning
      case .failed: .error
      }
    self.init(level, end.sentence(of: title))
  }
}
