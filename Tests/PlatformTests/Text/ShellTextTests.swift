import TestBus
import Testing

@testable import Platform

/// Text for a shell, and the shell's result.
@Suite("Text that a shell evaluates", .timeLimit(.minutes(5)))
struct ShellTextTests {
  /// The shells of this machine, with their options.
  private static let shells: [[String]] = [["sh"], ["dash"], ["bash"], ["bash", "--posix"], ["zsh", "-f"]].filter { words in
    ((try? FinishedProcess("/usr/bin/env", ["env", "which", words[0]]))?.status ?? 1) == 0
  }

  /// Returns the words that a shell reads.
  private static func words(_ text: [String], _ shell: [String]) throws -> [[UInt8]] {
    let script = "printf '%s\\0' \(text.joined(separator: " "))"
    let done = try FinishedProcess(
      "/usr/bin/env", ["env"] + shell + ["-c", script], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    #expect(done.errors.isEmpty && done.status == 0, "\(shell): \(String(decoding: done.errors, as: UTF8.self))")
    return done.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }

  private static func batches(_ texts: [String]) -> [[String]] {
    stride(from: 0, to: texts.count, by: 200).map { Array(texts[$0..<min($0 + 200, texts.count)]) }
  }

  @Test("Each special character, with whatever mark behind it, comes back from sh, dash, bash and zsh", arguments: shells)
  func specialsComeBack(shell: [String]) throws {
    #expect(Self.shells.count >= 3)
    for texts in Self.batches(HostileText.combinations) {
      #expect(try Self.words(texts.map { ShellText.quoted($0) }, shell) == texts.map { Array($0.utf8) })
      #expect(try Self.words(texts.map { ShellText.word($0) }, shell) == texts.map { Array($0.utf8) })
    }
  }

  @Test("Random texts come back", arguments: [UInt64.random(in: 0 ... .max)])
  func randomTextsComeBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = HostileText.random(150, using: &generator)
    for shell in Self.shells {
      #expect(try Self.words(texts.map { ShellText.quoted($0) }, shell) == texts.map { Array($0.utf8) }, "seed \(seed)")
    }
  }

  @Test("An assignment gives its variable the value, and does nothing else", arguments: shells)
  func assignmentsAssign(shell: [String]) throws {
    for texts in Self.batches(HostileText.combinations + HostileText.extenders.map { "x'\($0); echo ran; echo '\($0)" }) {
      let lines = texts.enumerated().map { ShellText.assignment(ShellVariable(of: "v\($0.offset)"), $0.element) }.joined()
      let read = texts.indices.map { "\"$v\($0)\"" }.joined(separator: " ")
      let script = "eval \(ShellText.quoted(lines))\nprintf '%s\\0' \(read)"
      let done = try FinishedProcess("/usr/bin/env", ["env"] + shell + ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
      #expect(
        done.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
          == texts.map { Array($0.utf8) })
      #expect(done.errors.isEmpty)
    }
    #expect(ShellText.assignment(ShellVariable(of: "a"), "b\0c") == "a='bc'\n")
  }

  @Test(
    "Names of fields become names of variables",
    arguments: [
      ("login", "login"), ("log-in", "log_in"), ("1d", "_1d"), ("é", "__"), ("a'\u{FE0F};id", "a_____id"), ("", "_"),
      ("a=b", "a_b"),
    ])
  func namesBecomeVariables(field: String, name: String) {
    #expect(ShellVariable(of: field).name == name)
  }

  @Test("No answer sets a variable that belongs to the shell or to other programs")
  func reservedNames() {
    for name in [
      "PATH", "IFS", "LD_PRELOAD", "LD-PRELOAD", "PS4", "BASH_ENV", "COORDINATOR_SOCKET", "_", "1", "http_proxy", "https-proxy",
      "path",
    ] {
      #expect(ShellVariable(of: name).isReserved, "\(name)")
    }
    for name in ["login", "Path", "pathname", "action", "proxy", "a1"] { #expect(!ShellVariable(of: name).isReserved, "\(name)") }
  }
}
