import CPlatform
import CoordinatorKit
import Forms
import Glibc
import LineSockets
import Platform
import ScriptEngine

/// The socket at which the operations of scripts arrive. May be used from any thread.
final class AskSocket: Sendable {
  /// The reason why the socket could not be opened.
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// The path of the socket.
  let path: String
  private let descriptor: Int32
  private let runs: RunNumbers

  /// Opens the socket.
  ///
  /// - Parameters:
  ///   - directory: the directory of the socket, which is created if it does not exist.
  ///   - runs: finds the run that an operation belongs to.
  /// - Throws: ``Failed``.
  init(in directory: String, for runs: RunNumbers) throws(Failed) {
    self.runs = runs
    mkdir(directory, 0o700)
    path = RunProcesses.socket(in: directory)
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard descriptor >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failed(description: "no socket can be opened at \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard status == 0, chmod(path, 0o600) == 0, listen(descriptor, 128) == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Failed(description: "no socket can be opened at \(path): \(reason)")
    }
  }

  /// Accepts operations from now on.
  func open() throws(Failed) {
    let isOpen = Thread.start(name: "script-asks") { [self] in
      while true {
        let connection = coordinatord_accept(descriptor)
        if connection >= 0 {
          receive(LineSocket(connection))
        } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
          // The operation stays in the queue of the socket until another one ends.
          usleep(100_000)
        } else if ![EINTR, ECONNABORTED].contains(errno) {
          return
        }
      }
    }
    guard isOpen else { throw Failed(description: "the system has no thread left") }
  }

  /// Closes the socket, and removes its file.
  func end() {
    unlink(path)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func receive(_ socket: LineSocket) {
    guard socket.peer == geteuid() else { return socket.end() }
    let operation = AskOperation(socket, runs)
    guard socket.read({ operation.take($0) }, then: { operation.end() }) else { return socket.end() }
  }
}

/// One operation that has arrived at the socket: its first line describes it, and further lines report its progress.
private final class AskOperation: Sendable {
  private let socket: LineSocket
  private let runs: RunNumbers
  private let inbox = Lock<(@Sendable (JSONValue?) -> Void)?>(nil)

  init(_ socket: LineSocket, _ runs: RunNumbers) { (self.socket, self.runs) = (socket, runs) }

  func take(_ line: [UInt8]) {
    let message: JSONValue
    do {
      message = try JSONValue(parsing: line)
    } catch {
      return refuse(UnreadableMessage(line, error))
    }
    guard let number = message["run"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return socket.end() }
    if inbox.withLock({ $0 == nil }) {
      let connection = AskConnection(socket)
      guard let receiver = runs.receiver(of: number, connection) else { return connection.stop() }
      inbox.withLock { $0 = receiver }
    }
    inbox.withLock(\.self)?(message)
  }

  /// Reports the reason to the run, and to the process, which prints it.
  private func refuse(_ unreadable: UnreadableMessage) {
    let connection = AskConnection(socket)
    let receiver = inbox.withLock(\.self) ?? unreadable.run.flatMap { runs.receiver(of: $0, connection) }
    connection.refuse("ask: \(unreadable.crash)")
    receiver?(["crash": ["message": .string(unreadable.crash.message), "type": "usage"]])
  }

  func end() { inbox.withLock(\.self)?(nil) }
}

/// The process of one operation, such as `ask menu`, which waits for its answer.
package final class AskConnection: Sendable {
  private let socket: LineSocket

  /// Takes over a connection.
  package init(_ socket: LineSocket) { self.socket = socket }

  /// Has the process write these bytes and exit with this status.
  package func finish(_ output: ProcessOutput) { send("done", Int(output.status), output.text) }

  /// Lets the process perform the step.
  package func go(key: String, attempt: UInt64, secrets: [Int32]) { send("go", Int(clamping: attempt), key, secrets) }

  /// Has the process write the reason to its standard error, and fail.
  package func complain(_ reason: String) { send("usage", 1, "ask: \(reason)\n") }

  /// Reports a wrong use to the process.
  package func refuse(_ reason: String) { send("usage", 2, "\(reason)\n") }

  /// Has the process end the command of its step by SIGTERM, and report how it has ended.
  package func terminate() { send("terminate", 0, "") }

  /// Has the process end itself and its process group.
  package func stop() {
    send("stop", 0, "")
    socket.end()
  }

  private func send(_ verb: String, _ status: Int, _ text: String, _ descriptors: [Int32] = []) {
    socket.write(Array("\(verb) \(status) \(text.utf8.count)\n\(text)".utf8), descriptors: descriptors)
  }
}

/// A pipe from which the value of a secret can be read once.
package final class SecretPipe: Sendable {
  /// The end to read from.
  package let reading: Int32

  /// Writes a secret into a new pipe; nil if the system has no descriptors left, or the secret does not fit.
  package init?(_ secret: Secret) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else {
      reading = -1
      return nil
    }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let isWritten = secret.withBytes { bytes in
      bytes.withUnsafeBufferPointer { $0.isEmpty || Glibc.write(ends[1], $0.baseAddress, $0.count) == $0.count }
    }
    close(ends[1])
    reading = ends[0]
    if !isWritten { return nil }
  }

  deinit { if reading >= 0 { close(reading) } }
}
