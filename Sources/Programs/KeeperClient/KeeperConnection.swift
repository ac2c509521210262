import Forms
import Glibc
import LineSockets

/// A connection to the keeper of a program.
final class KeeperConnection: Sendable {
  /// The messages of the keeper; the stream ends with the connection.
  let messages: AsyncStream<KeeperMessage>
  /// Whether the keeper, and therefore the program, runs as root.
  let isOfRoot: Bool
  private let continuation: AsyncStream<KeeperMessage>.Continuation
  private let socket: LineSocket

  /// Connects to the keeper of a program.
  ///
  /// - Parameters:
  ///   - program: the name of the program.
  ///   - places: the possible locations of its socket.
  /// - Throws: ``KeeperGone`` if there is no keeper, or it does not run as this user or root; ``KeeperTrouble`` if that is
  ///   unknown.
  init(to program: String, in places: KeeperPlaces) throws {
    guard let path = places.socket(of: program) else {
      throw KeeperGone(description: "nobody keeps the program \(program): its keeper was killed, or the machine was restarted")
    }
    guard let socket = LineSocket.connect(to: path, maxLine: 32 << 20) else {
      guard [ENOENT, ECONNREFUSED, EACCES, ENOTDIR].contains(errno) else { throw KeeperTrouble() }
      throw KeeperGone(description: "the keeper of \(program) cannot be reached at \(path): \(String(cString: strerror(errno)))")
    }
    guard let peer = socket.peer, peer == geteuid() || peer == 0 else {
      throw KeeperGone(description: "another user keeps the program \(program)")
    }
    isOfRoot = peer == 0
    self.socket = socket
    let (stream, continuation) = AsyncStream.makeStream(of: KeeperMessage.self, bufferingPolicy: .bufferingNewest(64))
    (messages, self.continuation) = (stream, continuation)
    let isReading = socket.read(
      { line in
        let json = try? JSONValue(parsing: line)
        // A peer that does not speak the protocol is not the keeper.
        guard let message = json.flatMap({ KeeperMessage($0) }) else { return continuation.finish() }
        continuation.yield(message)
      }, then: { continuation.finish() })
    guard isReading else { throw KeeperTrouble() }
  }

  deinit { socket.end() }

  /// Requests the changes since a sequence number.
  func watch(_ sequence: UInt64) { socket.write(["watch": .integer(Int64(clamping: sequence))]) }

  /// Sends an answer.
  func answer(_ answer: KeeperAnswer, secrets: [String: Secret]) { answer.withLine(secrets) { _ = socket.write($0) } }

  /// Asks a package to stop its long operation.
  func cancelProgress() { socket.write(["cancel": true]) }

  /// Asks the keeper to end the program.
  func endProgram() { socket.write(["end": true]) }

  /// Stops waiting; ``messages`` then ends.
  func close() {
    socket.end()
    continuation.finish()
  }
}
