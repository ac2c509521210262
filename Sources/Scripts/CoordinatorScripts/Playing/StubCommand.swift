import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// A shell command that replaces a step, a look or a child.
struct StubCommand {
  /// The output of a command, and its exit status.
  struct Output: Sendable {
    var text: String
    var status: Int32
    /// The last line that it has written to its standard error.
    var complaint: String?
  }

  private let command: String
  private let environment: [String: String]
  private let secrets: [Secret]

  init(_ command: String, environment: [String: String], secrets: [Secret] = []) {
    (self.command, self.environment, self.secrets) = (command, environment, secrets)
  }

  /// Runs the command to its end. Its standard input has the secrets of the step, as the step's own command would get them: a
  /// single one without a line feed, several with one each.
  func run() async -> Output {
    await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "stub") { continuation.resume(returning: runNow()) }
      if !isStarted { continuation.resume(returning: Output(text: "", status: 127, complaint: "no thread can be started")) }
    }
  }

  private func runNow() -> Output {
    let process: FinishedProcess
    do {
      process = try FinishedProcess(
        "/bin/sh", ["sh", "-c", command], environment: Environment.variables.merging(environment) { $1 },
        input: secrets.isEmpty ? nil : { [secrets] descriptor in Self.write(secrets, to: descriptor) })
    } catch {
      return Output(text: "", status: 127, complaint: "/bin/sh cannot be started: \(error)")
    }
    let complaints = String(decoding: process.errors, as: UTF8.self).bytes.split(separator: "\n")
    return Output(
      text: String(decoding: process.output, as: UTF8.self), status: process.status, complaint: complaints.last.map(String.init))
  }

  private static func write(_ secrets: [Secret], to descriptor: Int32) {
    // The secrets are shorter than what a pipe holds. A command that does not read them has ended without them.
    for secret in secrets {
      secret.withBytes { bytes in bytes.withUnsafeBufferPointer { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) } }
      if secrets.count > 1 { _ = Glibc.write(descriptor, "\n", 1) }
    }
  }
}

extension StubCommand.Output {
  /// Returns the ending that the script receives: for a shell, the output and the status; for a host, the output as JSON, or as
  /// text.
  func ending(for kind: Script.Kind) -> StepEnding {
    let message = complaint ?? "exit status \(status)"
    switch kind {
    case .processes:
      let rest: [String: JSONValue] = ["status": .integer(Int64(status)), "output": .string(text)]
      return status == 0 ? .done(.object(rest)) : .failed(StepError(type: "exit", message: message, rest: rest))
    case .host:
      guard status == 0 else { return .failed(StepError(type: "Stub", message: message)) }
      var trimmed = text.utf8[...]
      while let last = trimmed.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { trimmed.removeLast() }
      return .done(trimmed.isEmpty ? .null : JSONValue(json: text) ?? .string(String(Substring(trimmed))))
    }
  }
}

/// The shell commands that replace steps, looks and children of played scripts.
package struct Stubs: Sendable {
  /// The commands, by the names of what they replace.
  package let commands: [String: String]

  /// Creates stubs.
  ///
  /// - Parameter commands: the commands, by the names of what they replace.
  package init(_ commands: [String: String] = [:]) { self.commands = commands }

  /// Returns the success of a step that is not executed.
  package static func done(for kind: Script.Kind) -> StepEnding { StubCommand.Output(text: "", status: 0).ending(for: kind) }

  /// Returns the failure of a step that is not executed.
  package static func failed(for kind: Script.Kind) -> StepEnding {
    StubCommand.Output(text: "", status: 1, complaint: "it fails as a trial").ending(for: kind)
  }

  /// Executes the stub for a step or a look.
  ///
  /// - Returns: the ending; nil if the step is to be executed.
  func ending(
    of entry: LogEntry, _ kind: WorkKind, _ instance: FlowInstance, _ script: Script, _ secrets: [Secret]
  ) async -> StepEnding? {
    guard let step = entry.step, let command = commands[entry.name] else { return nil }
    if kind == .undo { return .done(.null) }
    let environment = [
      "COORDINATOR_KEY": "\(instance.name)/\(entry.key)", "COORDINATOR_ATTEMPT": "\(step.attempts)",
    ]
    return await StubCommand(command, environment: environment, secrets: secrets).run().ending(for: script.kind)
  }

  /// Executes the stub for a child.
  ///
  /// - Parameter child: the name of the operation that starts it.
  /// - Returns: the ending; nil if there is no stub.
  func outcome(of child: String) async -> Outcome? {
    guard let command = commands[child] else { return nil }
    let output = await StubCommand(command, environment: [:]).run()
    guard output.status == 0 else { return .cancelled }
    return .finished(JSONValue(json: output.text)?.object ?? [:])
  }
}
