import Platform
import TestBus

/// The secrets of a trial, which must not appear anywhere. May be used from any thread.
final class SecretMarks: Sendable {
  private struct State: Sendable {
    var generator: SeededGenerator
    var marks: [String: String] = [:]
  }

  /// The minimum number of characters by which a secret is recognized.
  private static let leastLength = 6

  private let state: Lock<State>

  init(seed: UInt64) { state = Lock(State(generator: SeededGenerator(seed: seed))) }

  /// Returns a recognizable secret in place of another one, with which a form was filled in. It has the same length and the
  /// same kinds of characters, so that it satisfies the same rules.
  func mark(for secret: String) -> String {
    guard secret.count >= Self.leastLength else { return secret }
    return state.withLock { state in
      if let mark = state.marks[secret] { return mark }
      let mark = String(
        secret.map { character in
          guard character.isASCII, character.isLetter || character.isNumber else { return character }
          let all = character.isNumber ? "0123456789" : character.isUppercase ? "BCDFGHKMQXZ" : "bcdfghkmqxz"
          return all.randomElement(using: &state.generator) ?? character
        })
      state.marks[secret] = mark
      return mark
    }
  }

  /// Returns whether any text contains a secret unchanged.
  func isIn(_ texts: some Sequence<String>) -> Bool {
    let marks = Array(state.withLock(\.marks).values)
    guard !marks.isEmpty else { return false }
    return texts.contains { text in marks.contains { text.contains($0) } }
  }

  /// Whether there are recognizable secrets.
  var areThere: Bool { state.withLock { !$0.marks.isEmpty } }
}
