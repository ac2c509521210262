import ArgumentParser
import CoordinatorScripts
import Forms
import Glibc
import Hardening
import LineSockets
import LinearTerminal
import Platform
import RendererKit
import ScriptEngine

/// Asks one question on the terminal, for `ask` in a script that a user has started by hand. Only programs start it: a socket
/// receives an operation and returns the reply, as the engine does.
struct QuestionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "question", abstract: "Ask one question of a script on this terminal, for ask.", shouldDisplay: false)

  @Argument(help: "The descriptor of the socket on which the question comes.")
  var socket: Int32

  func run() async throws {
    ProcessHardening.forbidDumps()
    let socket = LineSocket(socket)
    let connection = AskConnection(socket)
    guard let line = await Self.line(of: socket) else { throw ExitCode.failure }
    let screen = TerminalScreen(environment: Environment.variables)
    let desk = QuestionDesk(terminal: screen, reader: LineReader(descriptor: STDIN_FILENO), write: StandardStreams.write)
    do throws(ScriptCrash) {
      switch try await desk.answer(Self.operation(line)) {
      case .written(let output): connection.finish(output)
      case .secrets(let secrets, let name): try Self.pass(secrets, of: name, to: connection)
      case .left: connection.stop()
      }
    } catch {
      connection.refuse("ask: \(error)")
    }
  }

  /// Returns the first line. If the socket is closed, no process awaits an answer any more, and this process ends.
  private static func line(of socket: LineSocket) async -> [UInt8]? {
    let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let isRead = socket.read({ continuation.yield($0) }) {
      TerminalEcho.turnOn()
      Glibc.exit(EXIT_SUCCESS)
    }
    guard isRead else { return nil }
    for await line in lines { return line }
    return nil
  }

  private static func operation(_ line: [UInt8]) throws(ScriptCrash) -> ScriptOperation {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: line)
    } catch {
      throw ScriptCrash("a message of the script cannot be read: \(error)")
    }
    guard case .operation(let operation, _) = try ScriptMessage(json: json) else {
      throw ScriptCrash("a message of the script is not an operation")
    }
    return operation
  }

  private static func pass(_ secrets: [Secret], of name: String, to connection: AskConnection) throws(ScriptCrash) {
    let pipes = secrets.compactMap { SecretPipe($0) }
    guard pipes.count == secrets.count else { throw ScriptCrash("a secret cannot be passed on") }
    connection.go(key: name, attempt: 1, secrets: pipes.map(\.reading))
  }
}
