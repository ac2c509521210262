import CoordinatorKit
import CoordinatorScripts
import Forms
import Foundation
import ScriptEngine

/// A command of the shell that stands for a step, a look or a child.
struct StubCommand {
  /// What a command has written, and its status.
  struct Output: Sendable {
    var text: String
    var status: Int32
    /// The last line that it has written to its standard error.
    var complaint: String?
  }

  private let command: String
  private let environment: [String: String]
  private let secret: Secret?

  init(_ command: String, environment: [String: String], secret: Secret?) {
    (self.command, self.environment, self.secret) = (command, environment, secret)
  }

  /// Runs the command to its end. It gets the secret of the step, if it has one, on its standard input.
  func run() async -> Output {
    await withCheckedContinuation { continuation in
      let thread = Foundation.Thread { continuation.resume(returning: runNow()) }
      thread.start()
    }
  }

  private func runNow() -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = secret == nil ? FileHandle.nullDevice : input
    (process.standardOutput, process.standardError) = (output, errors)
    do {
      try process.run()
    } catch {
      return Output(text: "", status: 127, complaint: "/bin/sh cannot be started: \(error)")
    }
    if let secret {
      let data = secret.withBytes { bytes in bytes.withUnsafeBufferPointer { Data(buffer: $0) } }
      try? input.fileHandleForWriting.write(contentsOf: data)
      try? input.fileHandleForWriting.close()
    }
    let text = (try? output.fileHandleForReading.readToEnd()) ?? nil
    let complaints = (try? errors.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    let lines = String(decoding: complaints ?? Data(), as: UTF8.self).split(separator: "\n")
    return Output(
      text: String(decoding: text ?? Data(), as: UTF8.self), status: status, complaint: lines.last.map(String.init))
  }
}

extension StubCommand.Output {
  /// What a script hears of it: of a shell the output and the status; of a host the output as JSON, or as it is.
  func ending(for kind: Script.Kind) -> StepEnding {
    let message = complaint ?? "exit status \(status)"
    switch kind {
    case .processes:
      let rest: [String: JSONValue] = ["status": .integer(Int64(status)), "output": .string(text)]
      return status == 0 ? .done(.object(rest)) : .failed(StepError(type: "exit", message: message, rest: rest))
    case .host:
      guard status == 0 else { return .failed(StepError(type: "Stub", message: message)) }
      var trimmed = Substring(text)
      while trimmed.last?.isNewline == true { trimmed.removeLast() }
      return .done(trimmed.isEmpty ? .null : JSONValue(text: text) ?? .string(String(trimmed)))
    }
  }
}

extension JSONValue {
  /// Reads JSON; nil if the text is something else.
  init?(text: String) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
    self = value
  }
}
