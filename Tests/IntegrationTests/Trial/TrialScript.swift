import Platform
import TestBus

/// The input of a user who follows the instructions, each after the awaited output.
struct TrialScript {
  /// The output to wait for, and the text to type then.
  typealias Step = (awaited: String, typed: String?)

  /// Plays the script with a renderer in linear mode, searching its output from where the last step ended.
  static func play(_ steps: [Step], on renderer: Program) async throws {
    let seen = Position()
    for step in steps {
      try await renderer.prints { output in seen.move(past: step.awaited, in: output) }
      if let typed = step.typed { renderer.write(typed + "\n") }
    }
  }
}

/// The position of a script in an output.
private final class Position: Sendable {
  private let offset = Lock(0)

  func move(past text: String, in output: String) -> Bool {
    offset.withLock { offset in
      let rest = output.utf8.dropFirst(offset)
      guard let range = Substring(rest).firstRange(of: text) else { return false }
      offset = output.utf8.distance(from: output.startIndex, to: range.upperBound)
      return true
    }
  }
}
