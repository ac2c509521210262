import Foundation
import Testing

@testable import CoordinatorTerminal

@Suite("Colors of 24 bits")
struct TrueColourTests {
  /// Returns ncurses's capabilities of a terminal: one per line, without comments.
  private func capabilities(_ environment: [String: String]) throws -> Set<Substring> {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/infocmp")
    process.arguments = ["-1", "-x"]
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") })
  }

  @Test(
    "are the only difference between the terminal's description and the copy for ncurses",
    arguments: ["xterm", "xterm-256color", "tmux-256color"])
  func description(name: String) throws {
    let environment = ["TERM": name, "COLORTERM": "truecolor"]
    let description = try #require(TrueColour.description(environment: environment))
    let before = try capabilities(environment)
    let after = try capabilities(environment.merging(["TERMINFO": description]) { $1 })
    func names(_ lines: Set<Substring>) -> Set<Substring> { Set(lines.map { $0.prefix { !"#=,".contains($0) } }) }
    #expect(names(after.subtracting(before)).subtracting(["\tcolors", "\tsetaf", "\tsetab", "\tRGB"]).isEmpty)
    #expect(names(before.subtracting(after)).subtracting(["\tcolors", "\tsetaf", "\tsetab"]).isEmpty)
    #expect(after.contains("\tRGB,") && after.contains("\tcolors#0x1000000,"))
  }

  @Test(
    "are not sent to terminals that do not say that they have them, or whose description is unknown",
    arguments: [
      ["TERM": "xterm-256color"], ["TERM": "xterm-256color", "COLORTERM": "yes"], ["TERM": "linux", "COLORTERM": "truecolor"],
      ["TERM": "screen-256color", "COLORTERM": "truecolor"], ["TERM": "xterm-nothing", "COLORTERM": "truecolor"],
      ["TERM": "xterm-../../x", "COLORTERM": "truecolor"], ["COLORTERM": "truecolor"],
    ])
  func otherTerminals(environment: [String: String]) {
    #expect(TrueColour.description(environment: environment) == nil)
  }

  @Test("are not given to a terminal whose description is damaged")
  func damage() throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "/lib/terminfo/x/xterm-256color")))
    let entry = try #require(TerminfoEntry(bytes))
    #expect(TerminfoEntry(entry.bytes) == entry)
    #expect(entry.withDirectColours?.withDirectColours == nil)
    var random = SystemRandomNumberGenerator()
    for end in stride(from: 0, to: bytes.count - 40, by: 7) { #expect(TerminfoEntry(Array(bytes[..<end]))?.bytes.count != 0) }
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<4 { damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      _ = TerminfoEntry(damaged)?.withDirectColours?.bytes
    }
  }
}
