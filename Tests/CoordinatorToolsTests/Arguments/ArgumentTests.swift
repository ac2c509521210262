import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorTools

@Suite("key=value")
struct AssignmentTests {
  @Test("is a text, JSON, or a file")
  func sources() throws {
    #expect(try Assignment("name=Jo").source == .text("Jo"))
    #expect(try Assignment("name=").source == .text(""))
    #expect(try Assignment("sum=1+1=2").source == .text("1+1=2"))
    #expect(try Assignment("age:=3").source == .json(3))
    #expect(try Assignment("tags:=[\"a\", true]").source == .json(["a", true]))
    #expect(try Assignment("password=@-").source == .file("-"))
    #expect(try Assignment("text=@/tmp/x").source == .file("/tmp/x"))
    #expect(try Assignment("age:=3").key == "age")
  }

  @Test("needs a key, and JSON after :=")
  func malformed() {
    #expect(throws: Assignment.Malformed.noKey("name")) { try Assignment("name") }
    #expect(throws: Assignment.Malformed.noKey("=x")) { try Assignment("=x") }
    #expect(throws: Assignment.Malformed.noKey(":=1")) { try Assignment(":=1") }
    #expect(throws: Assignment.Malformed.notJSON(key: "a")) { try Assignment("a:={") }
  }
}

@Suite("Typed arguments")
struct TypedArgumentsTests {
  private static let tags = try? Schema(json: ["type": "array", "title": "Tags", "items": ["type": "string"]])

  private func object(_ words: String..., schema: Schema?) throws -> [String: JSONValue] {
    try TypedArguments.object(from: words.map { try Assignment($0) }, schema: schema) { $0 == "-" ? "secret" : nil }
  }

  private func schema() throws -> Schema {
    .object([
      Field("age", .integer(title: "Age")), Field("size", .number(title: "Size")), Field("sure", .boolean(title: "Sure")),
      Field("name", .string(title: "Name")), Field("tags", try #require(Self.tags)),
    ])
  }

  @Test("have the types of the schema")
  func typed() throws {
    #expect(
      try object("age=3", "size=2.5", "sure=true", "name=3", schema: schema())
        == ["age": 3, "size": 2.5, "sure": true, "name": "3"])
  }

  @Test("stay texts where the schema does not fit or is not there, so that the daemon can say what is wrong")
  func untyped() throws {
    #expect(try object("age=three", "colour=3", schema: schema()) == ["age": "three", "colour": "3"])
    #expect(try object("age=3", schema: nil) == ["age": "3"])
    #expect(try object("age:=3", schema: nil) == ["age": 3])
  }

  @Test("make a list of a key that is repeated")
  func lists() throws {
    #expect(try object("tags=a", schema: schema()) == ["tags": ["a"]])
    #expect(try object("tags=a", "tags=b", schema: schema()) == ["tags": ["a", "b"]])
    #expect(throws: TypedArguments.Failure.givenTwice("name")) { try object("name=a", "name=b", schema: schema()) }
  }

  @Test("are read from where they do not show")
  func files() throws {
    #expect(try object("name=@-", schema: schema()) == ["name": "secret"])
    #expect(throws: TypedArguments.Failure.unreadable(key: "name", path: "/none")) {
      try object("name=@/none", schema: schema())
    }
  }
}

@Suite("The words of send")
struct SendArgumentsTests {
  @Test("are a tree, an event and its payload")
  func words() throws {
    let both = try SendArguments(["pets_1", "select", "id=lamp"])
    #expect(both.tree == "pets_1")
    #expect(both.event == "select")
    #expect(both.assignments.map(\.key) == ["id"])
    #expect(try SendArguments(["well"]).tree == nil)
  }

  @Test("are refused if there is no event, or too much")
  func refused() throws {
    for words in [["id=lamp"], ["a", "b", "c"], ["a", "b", "id=1", "oops"]] {
      #expect(try #require(throws: ToolFailure.self) { try SendArguments(words) }.exit == .usage)
    }
  }
}

@Suite("A span of time")
struct TimeSpanTests {
  @Test(
    "has a unit, or is in seconds",
    arguments: [("30", 30_000_000), ("5m", 300_000_000), ("2h", 7_200_000_000), ("7ms", 7000)] as [(String, UInt64)])
  func spans(text: String, microseconds: UInt64) {
    #expect(TimeSpan(text)?.microseconds == microseconds)
  }

  @Test("is nothing else", arguments: ["", "0", "-1", "5 m", "m", "1d", "99999999999999999999", "99999999999999999h"])
  func nonsense(text: String) {
    #expect(TimeSpan(text) == nil)
  }
}

@Suite("Options that every command takes")
struct GlobalArgumentsTests {
  private func moved(_ words: String...) -> [String] {
    GlobalArguments.behindCommand(words, flags: ["--json"], options: ["--address"])
  }

  @Test("may stand before the command")
  func before() {
    #expect(
      moved("--json", "--address", "a", "--address=b", "show", "x") == ["show", "--json", "--address", "a", "--address=b", "x"])
    #expect(moved("show", "--json") == ["show", "--json"])
  }

  @Test("stay where they are without a command, or after something else")
  func untouched() {
    #expect(moved("--json") == ["--json"])
    #expect(moved("--address") == ["--address"])
    #expect(moved("--help", "show") == ["--help", "show"])
    #expect(moved("--json", "--help") == ["--json", "--help"])
    #expect(moved() == [])
  }
}
