import CoordinatorKit
import CoordinatorScripts
import Forms
import ScriptEngine

/// What is done about the steps, looks and children of a script that is played.
package struct StepPolicy: Sendable {
  /// The commands of the shell that stand for steps, looks and children, by name.
  package var stubs: [String: String]

  /// Creates a policy.
  ///
  /// - Parameter stubs: the commands of the shell that stand for steps, looks and children, by name.
  package init(stubs: [String: String] = [:]) { self.stubs = stubs }

  /// What stands for a piece of work; nil if it is to be done.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the coordinator that has ordered it.
  /// - Returns: how it has ended.
  func ending(of work: PlayedWork, in flow: PlayedFlow) async -> StepEnding? {
    guard let entry = flow.entry(of: work), let step = entry.step, let stub = stubs[entry.name] else { return nil }
    if work.argument?.kind == .undo { return .done(.null) }
    let environment = [
      "COORDINATOR_KEY": "\(flow.instance.name)/\(entry.key)", "COORDINATOR_ATTEMPT": "\(step.attempts)",
    ]
    let output = await StubCommand(stub, environment: environment, secret: work.secrets.first?.value).run()
    return output.ending(for: flow.script.kind)
  }

  /// What stands for a child; nil if it is to be played.
  ///
  /// - Parameter child: the child.
  /// - Returns: how it has ended.
  func outcome(of child: PlayedChild) async -> Outcome? {
    guard let stub = stubs[child.name] else { return nil }
    let output = await StubCommand(stub, environment: [:], secret: nil).run()
    guard output.status == 0 else { return .cancelled }
    return .finished(JSONValue(json: output.text)?.object ?? [:])
  }
}

extension PlayedFlow {
  /// The entry that a piece of work is about; nil for the running on of a script.
  func entry(of work: PlayedWork) -> LogEntry? {
    guard let argument = work.argument, argument.kind != .run, let log, log.entries.indices.contains(argument.entry) else {
      return nil
    }
    return log.entries[argument.entry]
  }
}
