import Forms
import Glibc
import LineSockets
import ScriptEngine

/// The process of one operation, such as `ask menu`, which waits for its answer.
package final class AskConnection: Sendable {
  private let socket: LineSocket

  /// Takes over a connection.
  package init(_ socket: LineSocket) { self.socket = socket }

  /// The process writes these bytes, and exits with this status.
  package func finish(_ output: ProcessOutput) { send("done", Int(output.status), output.text) }

  /// The process does the step.
  package func go(key: String, attempt: UInt64, secrets: [Int32]) { send("go", Int(clamping: attempt), key, secrets) }

  /// The process was not used as it has to be.
  package func refuse(_ reason: String) { send("usage", 2, "\(reason)\n") }

  /// The process ends itself and its process group.
  package func stop() {
    send("stop", 0, "")
    socket.end()
  }

  private func send(_ verb: String, _ status: Int, _ text: String, _ descriptors: [Int32] = []) {
    socket.write(Array("\(verb) \(status) \(text.utf8.count)\n\(text)".utf8), descriptors: descriptors)
  }
}
