import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// Shows the front door, and the flows that are opened from it, until the user leaves.
struct FrontDoor: Sendable {
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
          let notice = ending.end.map { Notice($0, of: title) }
          return display.handle(.returned(tree, notice, unsent: ending.unsent), at: .now)
        }
      }
    }
  }
}

extension Notice {
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
