import Testing

@testable import Platform

@Suite("The program of this process")
struct OwnProgramTests {
  @Test(
    "It is replaced if its file was removed and another program is in its place",
    arguments: [
      ("/bin/sh (deleted)", true), ("/bin/sh", false), ("/no/such/program (deleted)", false), ("/etc/passwd (deleted)", false),
      (" (deleted)", false), ("", false),
    ])
  func replacement(file: String, isReplaced: Bool) {
    #expect(OwnProgram.isReplaced(Array(file.utf8)) == isReplaced)
  }

  @Test("That of the tests is not replaced")
  func own() { #expect(!OwnProgram.isReplaced) }
}
