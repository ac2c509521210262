import Forms
import Glibc
import LineSockets
import Platform

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

/// The error for a keeper that could not be reached this time: the system lacks resources, or a connection was lost.
struct KeeperTrouble: Error {}

/// The error for a keeper that cannot be reached, because it has ended or was ended.
package struct KeeperGone: Error, CustomStringConvertible {
  package let description: String
}

/// The locations of keepers' control sockets.
package struct KeeperPlaces: Sendable, Hashable {
  /// The directories of programs, in descending precedence.
  private let directories: [String]

  /// Creates places.
  ///
  /// - Parameter directories: the directories that have a directory for each program.
  package init(_ directories: [String]) { self.directories = directories }

  /// The locations for this process: its own programs, and those of root.
  package static var own: KeeperPlaces {
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? (geteuid() == 0 ? "/run" : "/run/user/\(geteuid())")
    return KeeperPlaces(["\(base)/coordinatord/programs", shared])
  }

  /// The directory of programs that run as root and that daemons of other users show.
  package static let shared = "/run/coordinator-programs"

  /// Returns the path of the control socket of a program; nil if there is none, or the name of the program is invalid.
  package func socket(of program: String) -> String? {
    guard ProgramName.isValid(program) else { return nil }
    return directories.map { "\($0)/\(program)/control" }.first { access($0, F_OK) == 0 }
  }
}

/// A message of a keeper; see Docs/program-protocol.md.
enum KeeperMessage: Sendable, Hashable {
  case hello
  case progress(ProgramProgress)
  /// The reply to a watch.
  case news(ProgramNews)
  /// The reply to an answer.
  case answered(AnswerOutcome)
  /// The reason why a request is invalid. Sending it again fails again.
  case misunderstood(String)
  /// Any other message, which a later version may send.
  case other

  /// Reads a message; returns nil if it is not one.
  init?(_ json: JSONValue) {
    guard let object = json.object else { return nil }
    if let outcome = AnswerOutcome(object) {
      self = .answered(outcome)
    } else if object["sequence"] != nil, object["protocol"] == nil {
      guard let news = ProgramNews(object) else { return nil }
      self = .news(news)
    } else if let progress = object["progress"]?.object {
      self = .progress(ProgramProgress(progress))
    } else if let error = object["error"]?.string {
      self = .misunderstood(error)
    } else {
      self = object["protocol"] != nil ? .hello : .other
    }
  }
}

/// The reply of a keeper to an answer.
package enum AnswerOutcome: Sendable, Hashable, Codable {
  /// The program receives the answer, or has received it before.
  case taken
  /// The question is no longer open.
  case stale
  /// The keeper refuses the answer, with the reason; the question stays open.
  case refused(String)

  /// Reads a reply; returns nil if it is not a reply to an answer.
  init?(_ reply: [String: JSONValue]) {
    if reply["taken"] != nil {
      self = .taken
    } else if reply["stale"] != nil {
      self = .stale
    } else if reply["refused"] != nil {
      self = .refused(reply["reason"]?.string ?? "")
    } else {
      return nil
    }
  }
}

/// An answer in the form that a keeper takes.
package struct KeeperAnswer: Sendable {
  let question: String
  /// The event of the screen; nil for Back.
  let event: String?
  let payload: [String: JSONValue]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - question: the id of the question.
  ///   - event: the event of the screen; nil for Back.
  ///   - payload: the payload of the event, without secrets.
  package init(question: String, event: String?, payload: [String: JSONValue]) {
    (self.question, self.event, self.payload) = (question, event, payload)
  }

  /// Calls a closure with the line of this answer, which is overwritten afterwards.
  ///
  /// - Parameters:
  ///   - secrets: the values of secret fields, by the name of the field.
  ///   - body: receives the line. It must not keep it.
  /// - Returns: what the closure returns.
  func withLine<T>(_ secrets: [String: Secret], _ body: ([UInt8]) -> T) -> T {
    guard let event else { return body(Array("\(text(["back": .string(question)]))\n".utf8)) }
    let head = text(["answer": .string(question), "event": .string(event), "payload": .object(payload)])
    let names = secrets.keys.sorted()
    let size = secrets.values.reduce(head.utf8.count + 64) { $0 + 6 * $1.withBytes { $0.count } }
    var line: [UInt8] = []
    // An array that grows leaves copies of its bytes in memory.
    line.reserveCapacity(size + names.reduce(0) { $0 + 6 * $1.utf8.count + 8 })
    line += head.utf8.dropLast()
    line += Array(#","secrets":{"#.utf8)
    for (index, name) in names.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += text(.string(name)).utf8
      line += Array(#":""#.utf8)
      secrets[name]?.withBytes { for index in $0.indices { Self.append($0[index], to: &line) } }
      line.append(UInt8(ascii: "\""))
    }
    line += Array("}}\n".utf8)
    defer { for index in line.indices { line[index] = 0 } }
    return body(line)
  }

  private static func append(_ byte: UInt8, to line: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
    case 0..<0x20, 0x7F:
      let digits = Array("0123456789abcdef".utf8)
      line += [UInt8(ascii: "\\"), UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: line.append(byte)
    }
  }

  private func text(_ json: JSONValue) -> String { json.text(omittingNulls: false) }
}
