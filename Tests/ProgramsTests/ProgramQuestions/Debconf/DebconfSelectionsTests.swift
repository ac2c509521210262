import Forms
import ProgramQuestions
import Testing

/// Files of `debconf-set-selections`.
@Suite("Answers in the form of debconf-set-selections", .timeLimit(.minutes(1)))
struct DebconfSelectionsTests {
  private static let file = """
    # A comment.
    tzdata\ttzdata/Areas\tselect\tEurope
      tzdata  tzdata/Zones/Europe select Rome

    d-i passwd/user-password password r00t me\u{20}
    locales locales/locales_to_be_generated multiselect de_DE.UTF-8 UTF-8, \\
    en_US.UTF-8 UTF-8
    postfix shared/name string  two blanks
    exim4-config shared/name string exim
    a a/flag boolean true
    a a/flag seen false
    a a/note note
    a a/empty string
    too few
    a a/b hologram x
    """

  private func block(_ section: String, _ build: (inout DebconfPeer) -> Void) throws -> DebconfBlock {
    var peer = DebconfPeer(package: section)
    build(&peer)
    peer.send("GO")
    return try #require(peer.block)
  }

  @Test("Lines are read as debconf-set-selections reads them")
  func reading() {
    let selections = DebconfSelections(Self.file)
    func value(_ question: String, _ owner: String = "") -> String? { selections.value(for: question, owner: owner) }
    #expect(value("tzdata/Areas") == "Europe")
    #expect(value("tzdata/Zones/Europe") == "Rome")
    #expect(value("passwd/user-password") == "r00t me ")
    #expect(value("locales/locales_to_be_generated") == "de_DE.UTF-8 UTF-8, en_US.UTF-8 UTF-8")
    #expect(value("shared/name", "postfix") == " two blanks")
    #expect(value("shared/name", "other") == "exim")
    #expect(value("a/flag") == "true")
    #expect(value("a/empty") == "")
    #expect(value("a/b") == nil)
    #expect(
      selections.problems.map(\.description) == [
        "line 14: expected: owner question type value", "line 15: there is no type 'hologram'",
      ])
  }

  @Test("A list is answered with the choice of that text")
  func list() throws {
    var selections = DebconfSelections(Self.file)
    let areas = try block("tzdata") { $0.input("tzdata/Areas", "select", choices: "Africa, Europe") }
    #expect(try selections.answer(for: areas) == .select("Europe"))
    let locales = try block("locales") {
      $0.input("locales/locales_to_be_generated", "multiselect", choices: "de_DE.UTF-8 UTF-8, en_US.UTF-8 UTF-8, C")
    }
    #expect(try selections.answer(for: locales) == .select(all: ["de_DE.UTF-8 UTF-8", "en_US.UTF-8 UTF-8"]))
  }

  @Test("A form is answered as a whole, with its password, and notes need no answer")
  func form() throws {
    var selections = DebconfSelections(Self.file)
    let form = try block("a") {
      $0.input("a/note", "note")
      $0.input("a/flag", "boolean")
      $0.input("passwd/user-password", "password")
    }
    #expect(try selections.answer(for: form) == .okay(["a/flag": true], secrets: ["passwd/user-password": "r00t me "]))
    let note = try block("z") { $0.input("z/note", "note") }
    #expect(try selections.answer(for: note) == .okay())
  }

  @Test("What is missing is said with the line to add")
  func missing() throws {
    var selections = DebconfSelections(Self.file)
    let form = try block("new") {
      $0.input("new/x", "string")
      $0.input("a/flag", "boolean")
    }
    let error = #expect(throws: MissingSelections.self) { try selections.answer(for: form) }
    #expect(error?.description == "add: new new/x string VALUE")
    let other = try block("tzdata") { $0.input("tzdata/Areas", "select", choices: "Mars, Venus") }
    let unsuitable = #expect(throws: MissingSelections.self) { try selections.answer(for: other) }
    #expect(unsuitable?.description == "the value of 'tzdata tzdata/Areas select' is not one of these: Mars; Venus")
    // Only the wrong value is named, not the right ones beside it.
    let both = try block("tzdata") {
      $0.input("tzdata/Areas", "select", choices: "Mars, Venus")
      $0.input("a/flag", "boolean")
    }
    let one = #expect(throws: MissingSelections.self) { try selections.answer(for: both) }
    #expect(one == unsuitable)
  }

  @Test("An error, and a question that comes again and again, are not answered")
  func loops() throws {
    var selections = DebconfSelections(Self.file)
    let error = try block("a") { $0.input("a/error", "error") }
    #expect(throws: MissingSelections.self) { try selections.answer(for: error) }
    let flag = try block("a") { $0.input("a/flag", "boolean") }
    for _ in 0..<DebconfSelections.maximumUses { #expect(try selections.answer(for: flag) == .action("yes")) }
    #expect(throws: MissingSelections.self) { try selections.answer(for: flag) }
  }

  @Test("White space of ASCII separates the words of a line, also before a mark, and no other does")
  func separators() {
    let selections = DebconfSelections(
      "a a/mark string \u{301}x\na a/tab string\t\u{301}y\n#\u{301} a comment\na\u{A0}b a/space string z\na a/joined string one \\\n\u{301}two"
    )
    func value(_ question: String, _ owner: String = "a") -> [UInt8]? {
      selections.value(for: question, owner: owner).map { Array($0.utf8) }
    }
    #expect(value("a/mark") == Array("\u{301}x".utf8))
    #expect(value("a/tab") == Array("\u{301}y".utf8))
    #expect(value("a/joined") == Array("one \u{301}two".utf8))
    #expect(selections.entries.map(\.owner) == ["a", "a", "a\u{A0}b", "a"])
    #expect(selections.problems.isEmpty)
  }
}
