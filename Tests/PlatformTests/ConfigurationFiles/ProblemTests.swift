import ConfigurationFiles
import Foundation
import TestBus
import Testing

@Suite("Configuration problems", .timeLimit(.minutes(5)))
struct ProblemTests {
  @Test("Every problem is reported at once, with its file, line, and expected value, and valid settings apply")
  func everyProblemIsReportedAtOnce() throws {
    let places = try Places([
      "shared/d/d.conf": """
      ; a comment
      MaxFlows=1
      [Limit]
      MaxFlows=2
      [Limits]
      MaxFlow=3
      MaxFlows=many
      maxBytes=1
      Colour=red
      nonsense
      [Looks
      =4
      """,
      "own/d/d.conf.d/a.conf": "[Nothing]\n[Looks]\nColour=blue\nColour=green\nShape=\\",
    ])
    let read = places.read(["D_MAX_FLOWS": "0", "D_OTHER": "x"])
    #expect(
      places.problems(read) == [
        "shared/d/d.conf:2: MaxFlows belongs in the section [Limits]",
        "shared/d/d.conf:3: unknown section [Limit]; did you mean [Limits]?",
        "shared/d/d.conf:6: unknown key MaxFlow in [Limits]; did you mean MaxFlows?",
        "shared/d/d.conf:7: MaxFlows=many: expected a whole number from 1 to 4294967295",
        "shared/d/d.conf:8: unknown key maxBytes in [Limits]; did you mean MaxBytes?",
        "shared/d/d.conf:9: Colour belongs in the section [Looks]",
        "shared/d/d.conf:10: expected [Section] or Key=Value",
        "shared/d/d.conf:11: expected ']' at the end",
        "shared/d/d.conf:12: expected [Section] or Key=Value",
        "own/d/d.conf.d/a.conf:1: unknown section [Nothing]; expected one of [Bus], [Limits], [Looks]",
        "own/d/d.conf.d/a.conf:3: Colour=blue: expected one of red, green",
        "own/d/d.conf.d/a.conf:5: a value cannot span lines: '\\' does not continue it",
        "$D_MAX_FLOWS: MaxFlows=0: expected a whole number from 1 to 4294967295",
      ])
    #expect(read[Keys.colour] == .green)
  }

  @Test("Invalid bytes are reported line by line, and extra white space and CRLF line ends are accepted")
  func invalidBytesAreReportedByLine() throws {
    let places = try Places(["own/d/d.conf": "\r\n  [Limits]  \r\n\tMaxFlows  =  7 \r\n  # more\r\n"])
    #expect(places.read()[Keys.maxFlows] == 7)
    #expect(places.read().problems.isEmpty)
    let path = "\(places.root)/own/d/d.conf"
    try (Data("[Limits]\nMaxFlows=\u{1B}[2J\n".utf8) + Data([0xFF, 0x3D, 0x0A, 0])).write(to: URL(fileURLWithPath: path))
    #expect(
      places.problems(places.read()) == [
        "own/d/d.conf:2: this line contains control characters", "own/d/d.conf:3: this line is not UTF-8",
        "own/d/d.conf:4: this line contains control characters",
      ])
  }

  @Test("A path that is too large a file, or not a file, is reported by name")
  func unreadableFileIsReported() throws {
    let places = try Places(["own/d/d.conf": String(repeating: "#", count: 1 << 20 + 1), "shared/d/d.conf/x": ""])
    #expect(
      places.problems(places.read()) == [
        "shared/d/d.conf: cannot be read: it is not a regular file", "own/d/d.conf: cannot be read: it is larger than 1M",
      ])
  }

  @Test("Parsing random bytes as a configuration file never traps", arguments: 0..<64)
  func randomBytesNeverTrap(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = Array("[]=#;\\\n\r\t Limts MaxFlowsé0123456789KG".utf8) + [0, 0xC3, 0xFF]
    let bytes = (0..<500).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
    let places = try Places(["own/d/d.conf": ""])
    try Data(bytes).write(to: URL(fileURLWithPath: "\(places.root)/own/d/d.conf"))
    #expect(places.read().files.count == 1)
  }
}
