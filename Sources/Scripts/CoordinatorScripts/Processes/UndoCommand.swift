import Forms
import Glibc
import ScriptEngine

/// A command of the shell that undoes a step.
struct UndoCommand {
  private let command: String
  private let key: String
  private let run: UInt64
  private let socket: String

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - key: the key of the step.
  ///   - run: a number of its own, by which its processes are found.
  ///   - socket: the path of the socket for operations, which marks them as well.
  init(_ command: String, key: String, run: UInt64, socket: String) {
    (self.command, self.key, self.run, self.socket) = (command, key, run, socket)
  }

  /// Runs the command to its end; ends it if the task is cancelled.
  ///
  /// - Parameter output: receives what it writes, line by line.
  /// - Returns: what it has come to.
  func run(_ output: @escaping @Sendable (String) -> Void) async -> WorkOutcome {
    var variables = RunOrder.inherited
    variables["COORDINATOR_KEY"] = key
    variables["COORDINATOR_RUN"] = "\(run)"
    variables["COORDINATOR_HOST"] = socket
    do throws(ScriptCrash) {
      let process = try ScriptProcess(["/bin/sh", "-c", command], environment: variables, passing: [:])
      let problem = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          process.watch(output) { problem in process.end(run: run) { continuation.resume(returning: problem) } }
        }
      } onCancel: {
        process.end(run: run)
      }
      return .ended(problem.map { .failed(StepError(type: "undo", message: $0)) } ?? .done(.null))
    } catch {
      return .ended(.failed(StepError(type: "undo", message: "\(error)")))
    }
  }
}
