import CoordinatorKit
import DBus
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("Assignments such as key=value", .timeLimit(.minutes(5)))
struct AssignmentTests {
  @Test("An assignment holds a string, JSON, or the path of a file")
  func assignmentHoldsAStringJSONOrFile() throws {
    #expect(try Assignment("name=Jo").source == .text("Jo"))
    #expect(try Assignment("name=").source == .text(""))
    #expect(try Assignment("sum=1+1=2").source == .text("1+1=2"))
    #expect(try Assignment("age:=3").source == .json(3))
    #expect(try Assignment("tags:=[\"a\", true]").source == .json(["a", true]))
    #expect(try Assignment("password=@-").source == .file("-"))
    #expect(try Assignment("text=@/tmp/x").source == .file("/tmp/x"))
    #expect(try Assignment("age:=3").key == "age")
  }

  @Test("An assignment ends its key at the first equals sign, whatever mark follows it")
  func markAfterTheEqualsSign() throws {
    for mark in ["\u{301}", "\u{338}", "\u{FE0F}", "\u{200D}"] {
      let text = try Assignment("key=\(mark)x")
      #expect(text.key == "key" && text.source == .text("\(mark)x"))
      let path = try Assignment("key=@\(mark)x")
      #expect(path.key == "key" && path.source == .file("\(mark)x"))
      let marked = try Assignment("key\(mark):=3")
      #expect(marked.key == "key\(mark)" && marked.source == .json(3))
      #expect(Assignment.isAssignment("key=\(mark)x"))
      #expect(throws: Assignment.Malformed.noKey("=\(mark)x")) { try Assignment("=\(mark)x") }
    }
  }

  @Test("An assignment without a key, or without JSON after ':=', is refused")
  func malformedAssignmentsAreRefused() {
    #expect(throws: Assignment.Malformed.noKey("name")) { try Assignment("name") }
    #expect(throws: Assignment.Malformed.noKey("=x")) { try Assignment("=x") }
    #expect(throws: Assignment.Malformed.noKey(":=1")) { try Assignment(":=1") }
    #expect(throws: Assignment.Malformed.notJSON(key: "a")) { try Assignment("a:={") }
  }
}

@Suite("Typed arguments", .timeLimit(.minutes(5)))
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

  @Test("Arguments get the types of the schema")
  func argumentsGetTheTypesOfTheSchema() throws {
    #expect(
      try object("age=3", "size=2.5", "sure=true", "name=3", schema: schema())
        == ["age": 3, "size": 2.5, "sure": true, "name": "3"])
  }

  @Test("Arguments that do not fit the schema, or have none, stay strings for the daemon to check")
  func argumentsThatDoNotFitStayStrings() throws {
    #expect(try object("age=three", "colour=3", schema: schema()) == ["age": "three", "colour": "3"])
    #expect(try object("age=3", schema: nil) == ["age": "3"])
    #expect(try object("age:=3", schema: nil) == ["age": 3])
  }

  @Test("A repeated key makes a list where the schema allows one")
  func repeatedKeysMakeAList() throws {
    #expect(try object("tags=a", schema: schema()) == ["tags": ["a"]])
    #expect(try object("tags=a", "tags=b", schema: schema()) == ["tags": ["a", "b"]])
    #expect(throws: TypedArguments.Failure.givenTwice("name")) { try object("name=a", "name=b", schema: schema()) }
  }

  @Test("Null is no value, and so is an empty argument for anything but a text")
  func nullIsNoValue() throws {
    let given = try object("name=", "age=", "size=", "sure=", "tags=", schema: schema())
    #expect(given == ["name": "", "age": .null, "size": .null, "sure": .null, "tags": .null])
    #expect(try object("name:=null", "age=null", schema: schema()) == ["name": .null, "age": "null"])
  }

  @Test("Arguments are read from a file or from standard input, so that they do not appear in the process list")
  func argumentsAreReadFromFiles() throws {
    #expect(try object("name=@-", schema: schema()) == ["name": "secret"])
    #expect(throws: TypedArguments.Failure.unreadable(key: "name", path: "/none")) {
      try object("name=@/none", schema: schema())
    }
  }
}

@Suite("The arguments of 'coordinatorctl send'", .timeLimit(.minutes(5)))
struct SendArgumentsTests {
  @Test("The arguments of 'send' are an optional tree, an event and its payload")
  func sendTakesATreeAnEventAndAPayload() throws {
    let both = try SendArguments(["pets_1", "select", "id=lamp"])
    #expect(both.tree == "pets_1")
    #expect(both.event == "select")
    #expect(both.assignments.map(\.key) == ["id"])
    #expect(try SendArguments(["well"]).tree == nil)
  }

  @Test("The arguments of 'send' are refused if the event is missing or there are too many")
  func invalidSendArgumentsAreAUsageError() throws {
    for words in [["id=lamp"], ["a", "b", "c"], ["a", "b", "id=1", "oops"]] {
      #expect(try #require(throws: ToolFailure.self) { try SendArguments(words) }.exit == .usage)
    }
  }
}

@Suite("Time spans", .timeLimit(.minutes(5)))
struct DurationArgumentTests {
  @Test(
    "A time span has a unit or is in seconds",
    arguments: [("30", 30_000_000), ("5m", 300_000_000), ("2h", 7_200_000_000), ("7ms", 7000)] as [(String, UInt64)])
  func timeSpanHasAUnitOrIsInSeconds(text: String, microseconds: UInt64) {
    #expect(DurationArgument(text)?.microseconds == microseconds)
  }

  @Test(
    "An invalid time span is refused", arguments: ["", "0", "-1", "5 m", "m", "1d", "99999999999999999999", "99999999999999999h"])
  func invalidTimeSpansAreRefused(text: String) {
    #expect(DurationArgument(text) == nil)
  }
}

@Suite("Options that every command accepts", .timeLimit(.minutes(5)))
struct GlobalArgumentsTests {
  private func moved(_ words: String...) -> [String] {
    GlobalArguments.behindCommand(words, flags: ["--json"], options: ["--address"])
  }

  @Test("Global options may precede the command")
  func globalOptionsMayPrecedeTheCommand() {
    #expect(
      moved("--json", "--address", "a", "--address=b", "show", "x") == ["show", "--json", "--address", "a", "--address=b", "x"])
    #expect(moved("show", "--json") == ["show", "--json"])
  }

  @Test("Global options stay in place without a command, or after another option")
  func globalOptionsWithoutACommandStay() {
    #expect(moved("--json") == ["--json"])
    #expect(moved("--address") == ["--address"])
    #expect(moved("--help", "show") == ["--help", "show"])
    #expect(moved("--json", "--help") == ["--json", "--help"])
    #expect(moved() == [])
  }
}
