import ProgramQuestions
import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct KeeperOptionsTests {
  @Test func `A program, its name, title and size are read`() throws {
    let options = try KeeperOptions(["--name", "wifi", "--title", "Set up", "--size", "100x30", "--", "sh", "-c", "--"])
    #expect(options.name == "wifi")
    #expect(options.title == "Set up")
    #expect(options.columns == 100)
    #expect(options.rows == 30)
    #expect(options.program == ["sh", "-c", "--"])
  }

  @Test(arguments: ["", ".", "..", "a/b", "-a", "a b", "ä", String(repeating: "a", count: 65)])
  func `A name that is not one of a directory is refused`(name: String) {
    #expect(throws: KeeperFailure.self) { try KeeperOptions(["--name", ProgramText(name), "--", "true"]) }
  }

  @Test func `A program may be held until a descriptor says so`() throws {
    #expect(try KeeperOptions(["--name", "a", "--hold", "0", "--", "true"]).hold == 0)
    #expect(throws: KeeperFailure.self) { try KeeperOptions(["--name", "a", "--hold", "-1", "--", "true"]) }
  }

  @Test(arguments: ["80", "80x", "0x24", "80x24x2", "70000x24"])
  func `A size is two numbers`(size: String) {
    #expect(throws: KeeperFailure.self) { try KeeperOptions(["--name", "a", "--size", ProgramText(size), "--", "true"]) }
  }
}
