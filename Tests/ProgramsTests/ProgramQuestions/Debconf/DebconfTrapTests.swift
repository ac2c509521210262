import Forms
import ProgramQuestions
import Testing

/// The traps of debconf's protocol, by their numbers in the notes about it.
@Suite("The traps of debconf's protocol", .timeLimit(.minutes(1)))
struct DebconfTrapTests {
  @Test("T1: the lines of a variable get one reply, and those after it their own")
  func variableWithLineBreaks() throws {
    var peer = DebconfPeer()
    peer.send("DATA ucf/show_diff type note", "DATA ucf/show_diff description Line by line")
    #expect(
      peer.send("DATA ucf/show_diff extended_description --- /etc/u.conf\\n+++ u.conf.new\\n@@ -1,3 +1,4 @@\\n a=1\\n-b=2")
        == ["0"])
    #expect(peer.send("SUBST ucf/show_diff DIFF --- /etc/u.conf root.root 0644") == ["0"])
    #expect(peer.send("+++ u.conf.new", "@@ -1,3 +1,4 @@", "", " a=1", "GO", "GET ucf/show_diff", "INPUT nothing x") == [])
    #expect(peer.send("SUBST ucf/show_diff NEW u.conf", "INPUT critical ucf/show_diff") == ["0", "0"])
    try peer.go(.okay())
    #expect(peer.send("GET ucf/show_diff") == ["0 "])
    #expect(
      peer.screen["blocks"]?[1]
        == ["kind": "verbatim", "spans": [["text": "--- /etc/u.conf\n+++ u.conf.new\n@@ -1,3 +1,4 @@\n a=1\n-b=2"]]])
  }

  @Test("T1: a proposal and a description may have line breaks, too")
  func valueWithLineBreaks() throws {
    var peer = DebconfPeer()
    #expect(peer.send("DATA a/b type string", "DATA a/b description One", "two") == ["0", "0"])
    #expect(peer.send("SET a/b first", "second") == ["0"])
    #expect(peer.send("INPUT high a/b") == ["0"])
    peer.send("GO")
    #expect(peer.block?.questions.first?.summary == "One\ntwo")
    #expect(peer.screen["values"] == ["a/b": "first second"])
  }

  @Test("T2: questions of one template are answered in order")
  func sharedTemplate() throws {
    var peer = DebconfPeer()
    for _ in 0..<2 { peer.input("a/one", "string") }
    #expect(try peer.go(.okay(["a/one": "v0", "a/one#2": "v1"])) == "0 ok")
    #expect(peer.screen["fields"] == ["a/one", "a/one#2"])
    #expect(peer.send("GET a/one", "GET a/one") == ["0 v0", "0 v1"])
    #expect(peer.send("GET a/one") == ["10 a/one was not asked"])
  }

  @Test("T3: nothing of a block shows up in the next one", arguments: [true, false])
  func staleValues(goesBack: Bool) throws {
    var peer = DebconfPeer()
    peer.send("CAPB backup")
    peer.input("a/b", "string", "First", details: "Details", set: "old")
    try peer.go(goesBack ? .back : .okay(["a/b": "new"]))
    if !goesBack { peer.send("GET a/b") }
    peer.input("a/b", "string", "Second")
    peer.send("GO")
    #expect(peer.screen["values"] == nil)
    #expect(peer.screen["body"] == "")
    #expect(peer.block?.questions.first?.summary == "Second")
  }

  @Test("T3: values that were not fetched are forgotten")
  func unfetched() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "string")
    try peer.go(.okay(["a/b": "x"]))
    #expect(!peer.connection.mayEnd)
    peer.send("TITLE Next")
    #expect(peer.connection.mayEnd)
    #expect(peer.send("GET a/b") == ["10 a/b was not asked"])
  }

  @Test("T4: the keeper may not end from the first question to the last value")
  func mayEnd() throws {
    var peer = DebconfPeer()
    peer.send("TITLE Configuring a")
    #expect(peer.connection.mayEnd)
    for tag in ["a/b", "a/c"] {
      peer.input(tag, "string")
      #expect(!peer.connection.mayEnd)
    }
    try peer.go(.okay())
    for tag in ["a/b", "a/c"] {
      #expect(!peer.connection.mayEnd)
      peer.send("GET \(tag)")
    }
    #expect(peer.connection.mayEnd)
  }

  @Test("T4: the end of the program withdraws what it asked")
  func withdrawal() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "string")
    peer.send("GO")
    peer.close()
    #expect(peer.withdrawn == [1])
    #expect(throws: DebconfAnswerError.notOpen(id: -1)) { try peer.answer(.okay()) }
  }

  @Test("T5: only choices are sent, and those that debconf cannot read are not offered")
  func choices() throws {
    var peer = DebconfPeer()
    peer.input("a/s", "select", choices: "one, two\\, three, f\\ our")
    peer.send("GO")
    #expect(throws: DebconfAnswerError.unsuitable(field: "a/s")) { try peer.answer(.select("nonsense")) }
    #expect(throws: DebconfAnswerError.unknownEvent("okay")) { try peer.answer(.okay()) }
    try peer.answer(.select("two, three"))
    #expect(peer.send("GET a/s") == ["0 two, three"])
    peer.input("a/m", "multiselect", choices: "x, y\\, z, w", set: "y, z, w")
    peer.send("GO")
    #expect(peer.screen["choosing"] == ["initial": ["w"], "min": 0, "max": 3])
    #expect(peer.screen["items"]?[1]?["disabled"] != nil)
    #expect(throws: DebconfAnswerError.unsuitable(field: "a/m")) { try peer.answer(.select(all: ["y, z"])) }
    try peer.answer(.select(all: ["w", "x"]))
    #expect(peer.send("GET a/m") == ["0 x, w"])
  }

  @Test("T6 and T7: Back is offered only after the package has announced it, until the next one")
  func back() throws {
    var peer = DebconfPeer()
    func isOffered(_ peer: inout DebconfPeer) -> Bool? {
      peer.input("a/b", "note")
      peer.send("GO")
      defer { _ = try? peer.answer(.okay()) }
      return peer.block?.question.allowsBack
    }
    peer.send("TITLE Configuring phpmyadmin", "CAPB backup", "CAPB")
    #expect(isOffered(&peer) == true)
    peer.send("TITLE Database settings")
    #expect(isOffered(&peer) == true)
    peer.send("TITLE Configuring exim4-config")
    #expect(isOffered(&peer) == false)
    peer.send("CAPB backup")
    #expect(isOffered(&peer) == true)
    peer.send("TITLE libc6:amd64 wird konfiguriert", "TITLE Konfiguriere libc6:amd64")
    #expect(isOffered(&peer) == false)
    peer.input("a/b", "note")
    peer.send("GO")
    #expect(throws: DebconfAnswerError.cannotGoBack) { try peer.answer(.back) }
    #expect(peer.sections == ["phpmyadmin", "phpmyadmin", "exim4-config", "exim4-config", "libc6"])
  }

  @Test("T9: a value has one line, and no leading blanks")
  func oneLine() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "string")
    try peer.go(.okay(["a/b": " \t a\nGET x\r\n b "]))
    #expect(peer.send("GET a/b") == ["0 a GET x   b "])
  }

  @Test("T11: the same question of the same run proposes the last answer")
  func proposal() throws {
    var first = DebconfPeer()
    first.input("a/s", "select", choices: "one, two, three", set: "one")
    try first.go(.select("two"))
    first.input("a/m", "multiselect", choices: "one, two, three", set: "one")
    try first.go(.select(all: ["two", "three"]))
    first.input("a/b", "boolean", set: "true")
    try first.go(.action("no"))
    first.input("a/p", "password", "Password")
    try first.go(.okay(secrets: ["a/p": "hush"]))
    var second = DebconfPeer(memory: first.memory)
    second.input("a/s", "select", choices: "one, two, three", set: "one")
    try second.go(.select("one"))
    #expect(second.screen["choosing"]?["initial"] == ["two"])
    second.input("a/m", "multiselect", choices: "one, two, three", set: "one")
    try second.go(.select(all: []))
    #expect(second.screen["choosing"]?["initial"] == ["two", "three"])
    second.input("a/b", "boolean", set: "true")
    try second.go(.action("yes"))
    #expect(second.screen["default"] == "no")
    second.input("a/b", "boolean", "Another question", set: "true")
    try second.go(.action("yes"))
    #expect(second.screen["default"] == "yes")
    second.input("a/p", "password", "Password")
    second.send("GO")
    #expect(!"\(second.screen) \(second.memory)".contains("hush"))
  }

  @Test("T5: debconf splits at a comma and a blank also if a mark follows them")
  func separatorsBeforeMarks() throws {
    var peer = DebconfPeer()
    peer.input("a/m", "multiselect", choices: "x, \u{301}y, z\\, \u{301}w", set: "x, \u{301}y")
    peer.send("GO")
    #expect(peer.screen["items"]?.array?.count == 3)
    #expect(peer.screen["items"]?[2]?["disabled"] != nil)
    #expect(peer.screen["choosing"] == ["initial": ["x", "\u{301}y"], "min": 0, "max": 3])
    #expect(throws: DebconfAnswerError.unsuitable(field: "a/m")) { try peer.answer(.select(all: ["z, \u{301}w"])) }
    try peer.answer(.select(all: ["x", "\u{301}y"]))
    #expect(peer.send("GET a/m") == ["0 x, \u{301}y"])
  }

  @Test("T1: a line whose words begin with marks is still the command that it is")
  func commandsBeforeMarks() throws {
    var peer = DebconfPeer()
    peer.send("TITLE \u{301}Title")
    peer.input("a/b", "string", "\u{301}Question", set: "\u{301}old")
    try peer.go(.okay(["a/b": "new"]))
    #expect(peer.screen["title"] == "\u{301}Title")
    #expect(peer.block?.questions.first?.summary == "\u{301}Question")
    #expect(peer.screen["values"] == ["a/b": "\u{301}old"])
    #expect(peer.send("GET a/b") == ["0 new"])
  }

  @Test("T5: a choice is not chosen by an id that is only canonically equivalent to it")
  func equivalentChoices() throws {
    var peer = DebconfPeer()
    peer.input("a/s", "select", choices: "caf\u{E9}, tea")
    peer.send("GO")
    #expect(throws: DebconfAnswerError.unsuitable(field: "a/s")) { try peer.answer(.select("cafe\u{301}")) }
    try peer.answer(.select("caf\u{E9}"))
    #expect(peer.send("GET a/s").map { Array($0.utf8) } == [Array("0 caf\u{E9}".utf8)])
  }
}
