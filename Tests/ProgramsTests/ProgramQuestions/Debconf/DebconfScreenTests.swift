import Forms
import ProgramQuestions
import Testing

/// The screens of blocks.
@Suite("The screens of debconf's blocks", .timeLimit(.minutes(1)))
struct DebconfScreenTests {
  private func mixed() throws -> DebconfPeer {
    var peer = DebconfPeer()
    peer.send("TITLE Configuring slapd")
    peer.input("slapd/note", "note", "Read this", details: "First.\\n\\nSecond:\\n  * one\\n  * two")
    peer.input("slapd/error", "error", "The passwords differ")
    peer.input("slapd/domain", "string", "DNS domain name:", details: "The DNS domain.", set: "example.org")
    peer.input("slapd/password1", "password", "Administrator password:", set: "old secret")
    peer.input("slapd/move", "boolean", "Move old database?", set: "true")
    peer.input("slapd/backend", "select", "Backend:", choices: "BDB, MDB", set: "MDB")
    peer.input("slapd/plugins", "multiselect", "Plugins:", choices: "a, b, c\\, d", set: "a, b")
    peer.send("GO")
    return peer
  }

  @Test("A block of several questions is one form, with its notes in the body")
  func form() throws {
    let screen = try mixed().screen
    #expect(screen["kind"] == "form")
    #expect(screen["name"] == "slapd/domain")
    #expect(screen["title"] == "Configuring slapd")
    #expect(screen["body"] == "Read this\n\nFirst.\n\nSecond:\n\n- one\n- two")
    #expect(screen["messages"] == [["level": "error", "code": "debconf", "text": "The passwords differ"]])
    #expect(
      screen["fields"] == ["slapd/domain", "slapd/password1", "slapd/move", "slapd/backend", "slapd/plugins"])
    #expect(
      screen["values"]
        == ["slapd/domain": "example.org", "slapd/move": true, "slapd/backend": "MDB", "slapd/plugins": ["a", "b"]])
    let properties = screen["schema"]?["properties"]
    #expect(properties?["slapd/domain"]?["description"] == "The DNS domain.")
    #expect(properties?["slapd/password1"]?["writeOnly"] == true)
    #expect(properties?["slapd/plugins"]?["items"]?["oneOf"]?.array?.count == 2)
    #expect(properties?["slapd/plugins"]?["description"]?.string?.contains("c, d") == true)
    #expect(screen["schema"]?["required"] == ["slapd/backend"])
  }

  @Test("The schema of a form is one that the daemon accepts, and takes what the form proposes")
  func schema() throws {
    let screen = try mixed().screen
    let schema = try Schema(json: #require(screen["schema"]))
    try schema.validate()
    #expect(schema.check(try #require(screen["values"]?.object)).isEmpty)
    #expect(schema.secretFields == ["slapd/password1"])
  }

  @Test("A form is answered with the values of its fields, in the order of its questions")
  func answer() throws {
    var peer = try mixed()
    let payload: [String: JSONValue] = ["slapd/domain": "a.b", "slapd/backend": "BDB", "slapd/plugins": ["b"]]
    try peer.answer(.okay(payload, secrets: ["slapd/password1": "nü"]))
    let tags = ["note", "error", "domain", "password1", "move", "backend", "plugins"].map { "GET slapd/\($0)" }
    let replies = tags.flatMap { peer.send($0) }
    #expect(replies == ["0 ", "0 ", "0 a.b", "0 nü", "0 false", "0 BDB", "0 b"])
  }

  @Test("A form without a choice, or with a value of another type, is refused, and stays open")
  func refusals() throws {
    var peer = try mixed()
    let good: [String: JSONValue] = ["slapd/domain": "a", "slapd/backend": "BDB"]
    let bad: [String: JSONValue] = [
      "slapd/domain": 1, "slapd/move": "true", "slapd/backend": "XDB", "slapd/plugins": ["c, d"], "slapd/password1": "open",
    ]
    for (field, value) in bad {
      #expect(throws: DebconfAnswerError.unsuitable(field: field)) {
        try peer.answer(.okay(good.merging([field: value]) { $1 }))
      }
    }
    #expect(throws: DebconfAnswerError.unsuitable(field: "slapd/backend")) { try peer.answer(.okay()) }
    #expect(throws: DebconfAnswerError.unknownEvent("yes")) { try peer.answer(.action("yes")) }
    #expect(try peer.answer(.okay(good)) == "0 ok")
  }

  @Test("A password that was set before is shown nowhere, and stays if the field is left empty")
  func presentPassword() throws {
    for entered in ["", "new"] {
      var peer = try mixed()
      #expect(!"\(peer.screen) \(String(reflecting: peer.connection))".contains("old secret"))
      try peer.answer(.okay(["slapd/backend": "BDB"], secrets: ["slapd/password1": entered]))
      #expect(!String(reflecting: peer.connection).contains("old secret"))
      peer.send("GET slapd/note", "GET slapd/error", "GET slapd/domain")
      #expect(peer.send("GET slapd/password1") == ["0 \(entered.isEmpty ? "old secret" : entered)"])
    }
  }

  @Test("A yes-no question is a menu, whose default is what debconf proposes")
  func boolean() throws {
    for (proposal, choice) in [("true", "yes"), ("false", "no")] {
      var peer = DebconfPeer(package: "unattended-upgrades")
      peer.input("unattended-upgrades/enable", "boolean", "Enable?", set: proposal)
      try peer.go(.action("yes"))
      #expect(peer.screen["kind"] == "menu")
      #expect(peer.screen["default"] == .string(choice))
      #expect(peer.screen["title"] == "unattended-upgrades")
      #expect(peer.send("GET unattended-upgrades/enable") == ["0 true"])
    }
    var peer = DebconfPeer()
    peer.input("a/b", "boolean")
    peer.send("GO")
    #expect(peer.screen["default"] == nil)
    #expect(peer.screen["actions"]?.array?.compactMap { $0["role"]?.string } == ["normal", "normal"])
  }

  @Test("A question of an unknown type is shown, and its value is empty")
  func unknownType() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "hologram", "Look")
    try peer.go(.okay())
    #expect(peer.screen["kind"] == "message")
    #expect(peer.send("GET a/b") == ["0 "])
  }

  @Test("A block of notes is one message")
  func notes() throws {
    var peer = DebconfPeer()
    peer.input("a/one", "note", "First")
    peer.input("a/two", "note", "Second")
    try peer.go(.okay())
    #expect(peer.screen["kind"] == "message")
    #expect(peer.screen["body"] == "First\n\nSecond")
    #expect(peer.screen["schema"] == nil)
    #expect(peer.send("GET a/one", "GET a/two") == ["0 ", "0 "])
  }

  @Test("The name of a screen begins with the package")
  func names() throws {
    var peer = DebconfPeer()
    peer.send("TITLE Configuring exim4-config")
    peer.input("exim4/dc_eximconfig_configtype", "note")
    try peer.go(.okay())
    peer.send("TITLE Postfix Configuration")
    peer.input("exim4-config/x", "note")
    try peer.go(.okay())
    #expect(peer.blocks.map(\.name) == ["exim4-config/exim4/dc_eximconfig_configtype", "exim4-config/x"])
    #expect(peer.screen["title"] == "Postfix Configuration")
  }

  @Test("cdebconf gets the choices in the language C")
  func plainChoices() throws {
    var peer = DebconfPeer()
    peer.send("DATA a/b type select", "DATA a/b choices-c red, green", "DATA a/b choices rot, grün", "SET a/b green")
    peer.send("INPUT high a/b")
    try peer.go(.select("rot"))
    #expect(peer.screen["choosing"]?["initial"] == ["grün"])
    #expect(peer.send("GET a/b") == ["0 red"])
  }

  @Test("Choices that look the same have different ids, and escape sequences in them are shown")
  func odd() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "select", choices: "x, x, \u{1B}[31mred, ")
    try peer.go(.select("␛[31mred"))
    #expect(peer.screen["items"]?.array?.compactMap { $0["id"]?.string } == ["x", "x#2", "␛[31mred"])
    #expect(peer.send("GET a/b") == ["0 \u{1B}[31mred"])
  }
}
