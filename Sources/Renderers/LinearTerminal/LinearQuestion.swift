import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import Platform
import RendererKit

/// Asks about one screen that belongs to no flow tree, line by line, such as the question of a script that a user has started
/// by hand. Needs no bus.
package struct LinearQuestion: Sendable {
  /// How a question ends.
  package enum End: Sendable {
    /// The user has answered with an event of the screen, and with a valid payload.
    case answered(event: String, payload: Payload)
    /// The user has left, or the input has ended.
    case left
    /// The time limit has passed without an answer.
    case timedOut
  }

  private enum News: Sendable {
    case line(LineReader.Line)
    case timeIsOver
  }

  private let screen: Screen
  private let terminal: TerminalScreen
  private let reader: LineReader
  private let write: @Sendable (String) -> Void

  /// Creates a question that has not been asked.
  ///
  /// - Parameters:
  ///   - screen: screen to ask about; ``CoordinatorKit/Screen/elapses`` is the time limit.
  ///   - terminal: properties of the terminal.
  ///   - reader: source of the user's lines.
  ///   - write: closure that writes text without buffering.
  package init(
    _ screen: Screen, on terminal: TerminalScreen, reader: LineReader, write: @escaping @Sendable (String) -> Void
  ) {
    (self.screen, self.terminal, self.reader, self.write) = (screen, terminal, reader, write)
  }

  /// Asks, and returns how the question ends.
  package func ask() async -> End {
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let lines = Task { for await line in reader.lines { continuation.yield(.line(line)) } }
    if let end = screen.elapses { Self.wait(until: end) { continuation.yield(.timeIsOver) } }
    defer {
      lines.cancel()
      TerminalEcho.turnOn()
    }
    // Otherwise, each question of a script would print how to leave. The help is printed after two misunderstood lines.
    var conversation = Conversation(
      tree: nil, style: terminal.style, isInteractive: terminal.kind != .pipe, farewell: [], isIntroduced: true)
    var output = ConversationTerminal(terminal.kind, reader: reader, write: write)
    var end = handle(.event(.window(window)), in: &conversation, &output)
    for await piece in news {
      if let end { return end }
      switch piece {
      case .timeIsOver:
        output.show(.withdrawPrompt)
        return .timedOut
      case .line(.text(let text)):
        output.answered(text)
        end = handle(.line(text), in: &conversation, &output)
      case .line(.end):
        output.answered(nil)
        return .left
      }
      if let end { return end }
    }
    return .left
  }

  /// Handles an input by the conversation, and returns the end if the input causes it.
  private func handle(
    _ input: Conversation.Input, in conversation: inout Conversation, _ output: inout ConversationTerminal
  ) -> End? {
    conversation.now = .now
    for effect in RendererLanguages.standard.speaking(nil, { conversation.handle(input) }) {
      output.show(effect)
      switch effect {
      case .leave: return .left
      case .delegate(let delegation):
        switch RendererLanguages.standard.speaking(nil, { payload(of: delegation) }) {
        case .success(let payload): return .answered(event: delegation.event, payload: payload)
        case .failure(let error): return handle(.refused(error), in: &conversation, &output)
        }
      case .print, .prompt, .withdrawPrompt, .interruptPrompt, .saveDraft, .back, .countOthers: break
      }
    }
    return nil
  }

  /// Returns the payload of an answer as a flow tree would accept it.
  private func payload(of delegation: Delegation) -> Result<Payload, ClientError> {
    do throws(CallError) {
      return .success(try screen.accept(delegation.event, delegation.payload, of: CoordinatorPath(root: screen.name)))
    } catch .invalidPayload(let reasons) {
      return .failure(.refused(.invalidPayload(reasons)))
    } catch {
      return .failure(.refused(.denied(message: "\(error)")))
    }
  }

  /// The screen as the window of a flow tree that has no way back.
  private var window: MirroredWindow {
    let presented = PresentedScreen(
      id: 1, coordinator: Contract.rootPath, style: .push, layer: 0, back: false, screen: screen)
    return MirroredWindow(revision: 1, screens: [presented], language: .english)
  }

  /// Waits on a separate thread, by the monotonic clock.
  private static func wait(until end: UInt64, then body: @escaping @Sendable () -> Void) {
    // Without a thread, the question waits for its answer.
    _ = Thread.start(name: "time-limit") {
      var time = timespec(tv_sec: Int(end / 1_000_000), tv_nsec: Int(end % 1_000_000) * 1000)
      while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
      body()
    }
  }
}
