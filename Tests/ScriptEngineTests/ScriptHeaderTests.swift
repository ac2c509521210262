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

  @Test("The values of input and result may have titles, which commas then separate")
  func titles() throws {
    func script(_ header: String) throws -> Script {
      var script = Script("one", path: "/one", digest: "", kind: .processes)
      try ScriptHeader("# coordinator: \(header)")?.describe(&script)
      return script
    }
    let plain = try script("input=device other?").input
    #expect(plain?["properties"]?["device"]?["title"] == "device" && plain?["required"] == ["device"])
    let titled = try script("input=device:The device, other? : Another one ; result=ip, host:Host name")
    #expect(titled.input?["properties"]?["device"]?["title"] == "The device")
    #expect(titled.input?["properties"]?["other"]?["title"] == "Another one")
    #expect(titled.input?["required"] == ["device"])
    #expect(titled.result?["properties"]?["host"]?["title"] == "Host name")
    #expect(titled.result?["properties"]?["ip"]?["title"] == "ip")
    for wrong in ["result=host name:Host", "input=:Title", "input=ü"] {
      #expect(throws: ScriptHeader.Mistake.self, "\(wrong)") { try script(wrong) }
    }
  }

  @Test("What separates keys and values does so also if a mark follows")
  func marks() throws {
    let header = try #require(try ScriptHeader("# coordinator: title=\u{301}a; version=2"))
    #expect(header.members["title"].map { Array($0.utf8) } == Array("\u{301}a".utf8))
    #expect(header.members["version"] == "2")
  }
}
