import Forms
import Glibc
import ScriptEngine

/// A command of the shell that undoes a step.
struct UndoCommand {
  private let command: String
  private let key: String

  init(_ command: String, key: String) { (self.command, self.key) = (command, key) }

  /// Runs the command to its end.
  func run() async -> WorkOutcome {
    var variables = RunOrder.inherited
    variables["COORDINATOR_KEY"] = key
    do throws(ScriptCrash) {
      let process = try ScriptProcess(["/bin/sh", "-c", command], environment: variables, passing: [:])
      let problem = await withCheckedContinuation { continuation in
        process.watch({ _ in }, then: { continuation.resume(returning: $0) })
      }
      return .ended(problem.map { .failed(StepError(type: "undo", message: $0)) } ?? .done(.null))
    } catch {
      return .ended(.failed(StepError(type: "undo", message: "\(error)")))
    }
  }
}
