import Forms
import Glibc
import ScriptEngine

/// A command that undoes a step.
struct UndoCommand {
  private let arguments: [String]
  private let key: String
  private let run: UInt64
  private let socket: String

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - key: the key of the step.
  ///   - run: a number of its own, by which its processes are found.
  ///   - socket: the path of the socket for operations, which marks them as well.
  init(_ arguments: [String], key: String, run: UInt64, socket: String) {
    (self.arguments, self.key, self.run, self.socket) = (arguments, key, run, socket)
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
      let process = try ScriptProcess(arguments, environment: variables, passing: [:])
      let problem = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          process.watch(output) { end in process.end(run: run) { continuation.resume(returning: end.problem) } }
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

extension Undo {
  /// The program that undoes a step, and its arguments; nil if the script does it.
  var arguments: [String]? {
    switch self {
    // The shell reads this one line. The words are its arguments: it finds the program, and becomes it.
    case .words(let words): ["/bin/sh", "-c", "exec \"$@\"", "sh"] + words
    case .command(let command): ["/bin/sh", "-c", command]
    case .byScript: nil
    }
  }
}
