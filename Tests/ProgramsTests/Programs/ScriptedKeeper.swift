import CPlatform
import Forms
import Foundation
import Glibc
import KeeperClient
import LineSockets
import Platform

/// A keeper whose program follows a test's instructions, behind a real socket. May be used from any thread.
final class ScriptedKeeper: Sendable {
  private struct State: Sendable {
    var sequence = 0
    /// The reply to a watch, without its number.
    var news: [String: JSONValue] = ["working": [:]]
    var progress: JSONValue?
    var watchers: [(socket: LineSocket, known: Int)] = []
    var connections: [LineSocket] = []
    var isSilent = false
    /// The keeper's replies to answers, by the id of the question.
    var outcomes: [String: JSONValue] = [:]
  }

  /// The requests other than watches.
  let requests: AsyncStream<JSONValue>
  let places: KeeperPlaces
  private let continuation: AsyncStream<JSONValue>.Continuation
  private let directory: String
  private let listener: Int32
  private let state = Lock(State())

  /// Starts a keeper of a program called `demo`.
  init() throws {
    var template = Array("/tmp/keeper-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    places = KeeperPlaces([directory])
    (requests, continuation) = AsyncStream.makeStream(of: JSONValue.self)
    mkdir("\(directory)/demo", 0o700)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(directory)/demo/control".utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard status == 0, listen(listener, 16) == 0 else { throw POSIXError(.EIO) }
    _ = Thread.start(name: "scripted-keeper") { [self] in
      while true {
        let connection = coordinatord_accept(listener)
        guard connection >= 0 else { return }
        serve(LineSocket(connection))
      }
    }
  }

  /// Removes the keeper, and closes its connections.
  func leave() {
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in state.withLock(\.connections) { connection.end() }
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Closes all connections; new ones are accepted.
  func hangUp() {
    let connections = state.withLock { state in
      defer { (state.connections, state.watchers) = ([], []) }
      return state.connections
    }
    for connection in connections { connection.end() }
  }

  /// Shows a question.
  func ask(_ id: String, _ screen: [String: JSONValue], back: Bool = false) {
    publish(["question": ["id": .string(id), "screen": .object(screen), "back": .boolean(back)]])
  }

  /// Stops answering.
  func fallSilent() { state.withLock { $0.isSilent = true } }

  /// Sets the state without a question.
  func work() { publish(["working": [:]]) }

  /// Sends the progress of the program to the watchers.
  func report(_ progress: JSONValue) {
    state.withLock { state in
      state.progress = progress
      for watcher in state.watchers { watcher.socket.write(["progress": progress]) }
    }
  }

  /// Ends the program.
  func end(_ ending: JSONValue, lines: [JSONValue] = ["the last line"], troubles: [JSONValue]? = nil) {
    var news: [String: JSONValue] = ["ended": ending, "lines": .array(lines)]
    news["troubles"] = troubles.map { .array($0) }
    publish(news)
  }

  /// Replies to an answer that it does not understand it.
  func misunderstand(_ id: String) { state.withLock { $0.outcomes[id] = ["error": "a request must be a JSON object"] } }

  /// Refuses an answer.
  func refuse(_ id: String, because reason: String) {
    state.withLock { $0.outcomes[id] = ["refused": .string(id), "reason": .string(reason)] }
  }

  private func publish(_ news: [String: JSONValue]) {
    state.withLock { state in
      state.sequence += 1
      state.news = news
      for watcher in state.watchers { watcher.socket.write(reply(state)) }
      state.watchers = []
    }
  }

  private func reply(_ state: State) -> JSONValue {
    .object(state.news.merging(["sequence": .integer(Int64(state.sequence))]) { one, _ in one })
  }

  private func serve(_ connection: LineSocket) {
    state.withLock { $0.connections.append(connection) }
    connection.write(["program": "demo", "protocol": 1, "sequence": 0])
    _ = connection.read({ [self] in take($0, from: connection) }, then: {})
  }

  private func take(_ line: [UInt8], from connection: LineSocket) {
    guard let request = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else { return connection.end() }
    if let known = request["watch"]?.integer {
      return state.withLock { state in
        if Int(known) != state.sequence {
          connection.write(reply(state))
        } else {
          state.watchers.append((connection, Int(known)))
          if let progress = state.progress { connection.write(["progress": progress]) }
        }
      }
    }
    if state.withLock(\.isSilent) { return }
    let id = request["answer"]?.string ?? request["back"]?.string
    continuation.yield(request)
    connection.write(
      id.flatMap { id in state.withLock { $0.outcomes[id] } } ?? (id.map { ["taken": .string($0)] } ?? ["ending": true]))
  }
}
