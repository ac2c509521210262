import Forms
import Testing

@testable import CoordinatorScripts

@Suite("The header of a script", .timeLimit(.minutes(1)))
struct ScriptHeaderTests {
  @Test("A Greek question mark in a title does not end it, as a semicolon does")
  func greekQuestionMark() throws {
    let header = try #require(try ScriptHeader("# coordinator: title=Τι κάνεις\u{37E} version=7; version=2\n"))
    #expect(header.members["title"].map { Array($0.value.utf8) } == Array("Τι κάνεις\u{37E} version=7".utf8))
    #expect(header.members["version"]?.value == "2")
    #expect(header.members.count == 2)
  }

  @Test("A file whose lines end with CR LF has its header in whatever line")
  func carriageReturns() throws {
    let header = try #require(
      try ScriptHeader("#!/bin/sh\r\n# A script.\r\n# coordinator: title=A visit; version=3; rehearsable\r\nask\r\n"))
    #expect(header.members.mapValues(\.value) == ["title": "A visit", "version": "3", "rehearsable": ""])
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
    #expect(header.members["title"].map { Array($0.value.utf8) } == Array("\u{301}a".utf8))
    #expect(header.members["version"]?.value == "2")
  }

  private func script(_ source: String) throws -> Script {
    var script = Script("one", path: "/one", digest: "", kind: .processes)
    try ScriptHeader(source)?.describe(&script)
    return script
  }

  @Test("Title and summary have translations, also in the comments of the lines below")
  func translations() throws {
    let script = try script(
      """
      #!/bin/sh
      # coordinator: title=Set up; title[de]=Einrichten; summary=Once
      # coordinator: title[pt_BR]=Configurar; summary[de]=Einmal
      # Not a header.
      # coordinator: title[fr]=Trop tard
      """)
    #expect(script.title == "Set up" && script.summary == "Once")
    #expect(script.titles == [try LanguageTag("de"): "Einrichten", try LanguageTag("pt-BR"): "Configurar"])
    #expect(script.summaries == [try LanguageTag("de"): "Einmal"])
  }

  @Test("A backslash before a separator makes it a part of the text")
  func escapes() throws {
    let script = try script(#"# coordinator: title=Yes\; no\\; title[de]=C:\\x\y; result=ip:Address\, or name, host:a\:b"#)
    #expect(script.title == #"Yes; no\"#)
    #expect(script.titles == [try LanguageTag("de"): #"C:\x\y"#])
    #expect(script.result?["properties"]?["ip"]?["title"] == "Address, or name")
    #expect(script.result?["properties"]?["host"]?["title"] == "a:b")
  }

  @Test(
    "A mistake is reported with its line",
    arguments: [
      ("#!/bin/sh\n\n# coordinator: version=none", 3), ("#!/bin/sh\n# coordinator: title=a\n# coordinator: input=ü", 3),
      ("# coordinator: title[none]=a", 1), ("#\n# coordinator: input[de]=a:b", 2),
    ])
  func lines(_ source: String, _ line: Int) throws {
    let mistake = #expect(throws: ScriptHeader.Mistake.self) { try script(source) }
    #expect(mistake?.line == line)
  }
}
