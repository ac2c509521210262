import CoordinatorKit
import Forms
import ScriptEngine

/// The commands of the shell that stand for steps, looks and children of scripts that are played.
package struct Stubs: Sendable {
  /// The commands, by the names of what they stand for.
  package let commands: [String: String]

  /// Creates stubs.
  ///
  /// - Parameter commands: the commands, by the names of what they stand for.
  package init(_ commands: [String: String] = [:]) { self.commands = commands }

  /// How a step ends that is not done.
  package static func done(for kind: Script.Kind) -> StepEnding { StubCommand.Output(text: "", status: 0).ending(for: kind) }

  /// How a step fails that is not done.
  package static func failed(for kind: Script.Kind) -> StepEnding {
    StubCommand.Output(text: "", status: 1, complaint: "it fails as a trial").ending(for: kind)
  }

  /// Executes what stands for a step or a look.
  ///
  /// - Returns: how it has ended; nil if it is to be done.
  func ending(
    of entry: LogEntry, _ kind: WorkKind, _ instance: FlowInstance, _ script: Script, _ secret: Secret?
  ) async -> StepEnding? {
    guard let step = entry.step, let command = commands[entry.name] else { return nil }
    if kind == .undo { return .done(.null) }
    let environment = [
      "COORDINATOR_KEY": "\(instance.name)/\(entry.key)", "COORDINATOR_ATTEMPT": "\(step.attempts)",
    ]
    return await StubCommand(command, environment: environment, secret: secret).run().ending(for: script.kind)
  }

  /// Executes what stands for a child.
  ///
  /// - Parameter child: the name of the operation that starts it.
  /// - Returns: how it has ended; nil if nothing stands for it.
  func outcome(of child: String) async -> Outcome? {
    guard let command = commands[child] else { return nil }
    let output = await StubCommand(command, environment: [:], secret: nil).run()
    guard output.status == 0 else { return .cancelled }
    return .finished(JSONValue(json: output.text)?.object ?? [:])
  }
}
