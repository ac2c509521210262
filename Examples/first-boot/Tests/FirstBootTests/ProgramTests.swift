import Foundation
import Testing

@testable import first_boot_daemon

@Suite("Programs")
struct ProgramTests {
  @Test("A program gets its input, and its output is read")
  func inputAndOutput() throws {
    #expect(try Program(name: "cat").run(input: Array("Ada\n".utf8).span) == "Ada")
  }

  @Test("The failure of a program is shown with its message, or with its status")
  func failures() {
    #expect(throws: Problem.self) { try Program(name: "ls").run(["/nowhere"]) }
    #expect(throws: Problem.self) { try Program(name: "false").run() }
  }

  @Test("A program that is not there leaves no pipe open")
  func missing() throws {
    let name = "program-that-no-system-has"
    #expect(throws: Problem.self) { try Program(name: name).run() }
    // Other tests open files at the same time, but not that many.
    let before = try openFiles()
    for _ in 0..<200 { _ = try? Program(name: name).run() }
    #expect(try openFiles() < before + 150)
  }

  private func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
}
