import Testing

@testable import CoordinatorScripts

@Suite("The header of a script", .timeLimit(.minutes(1)))
struct ScriptHeaderTests {
  @Test("A Greek question mark in a title does not end it, as a semicolon does")
  func greekQuestionMark() throws {
    let header = try #require(try ScriptHeader("# coordinator: title=Τι κάνεις\u{37E} version=7; version=2\n"))
    #expect(header.members["title"].map { Array($0.utf8) } == Array("Τι κάνεις\u{37E} version=7".utf8))
    #expect(header.members["version"] == "2")
    #expect(header.members.count == 2)
  }

  @Test("A file whose lines end with CR LF has its header in whatever line")
  func carriageReturns() throws {
    let header = try #require(
      try ScriptHeader("#!/bin/sh\r\n# A script.\r\n# coordinator: title=A visit; version=3; rehearsable\r\nask\r\n"))
    #expect(header.members == ["title": "A visit", "version": "3", "rehearsable": ""])
    let mistake = #expect(throws: ScriptHeader.Mistake.self) {
      try ScriptHeader("#!/bin/sh\r\n\r\n# coordinator: colour=red\r\n")
    }
    #expect(mistake?.line == 3)
    #expect(try ScriptHeader(String(repeating: "#\r\n", count: 20) + "# coordinator: title=Too late\r\n") == nil)
  }

  @Test("What separates keys and values does so also if a mark follows")
  func marks() throws {
    let header = try #require(try ScriptHeader("# coordinator: title=\u{301}a; version=2"))
    #expect(header.members["title"].map { Array($0.utf8) } == Array("\u{301}a".utf8))
    #expect(header.members["version"] == "2")
  }
}
