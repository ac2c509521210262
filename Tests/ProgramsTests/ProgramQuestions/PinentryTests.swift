import Forms
import ProgramQuestions
import Testing

/// Conversations with gpg-agent.
@Suite("Pinentry", .timeLimit(.minutes(1)))
struct PinentryTests {
  /// Acts as gpg-agent.
  private struct Agent {
    var session = PinentrySession(identity: .init(version: "1.0", process: 42))
    var output = ""
    var questions: [(screen: JSONValue, id: Int)] = []
    var withdrawn: [Int] = []
    var hasEnded = false

    mutating func send(_ lines: String...) -> String {
      output = ""
      for line in lines { take(session.receive((line + "\n").utf8)) }
      return output
    }

    mutating func answer(_ answer: ProgramAnswer) throws -> String {
      output = ""
      take(try session.answer(answer, to: questions.last?.id ?? 0))
      return output
    }

    mutating func take(_ effects: [PinentryEffect]) {
      for effect in effects {
        switch effect {
        case .reply(let bytes): output += String(decoding: bytes, as: UTF8.self)
        case .ask(let question, let id): questions.append((question.told, id))
        case .withdraw(let id): withdrawn.append(id)
        case .end: hasEnded = true
        }
      }
    }

    var screen: JSONValue? { questions.last?.screen }
  }

  @Test("A PIN is asked with its texts, and sent with escapes")
  func pin() throws {
    var agent = Agent()
    #expect(
      agent.send(
        "OPTION ttyname=/dev/pts/1", "OPTION default-ok=_OK", "SETDESC Enter%20it%0Afor%25 me", "SETPROMPT PIN:", "SETTITLE Key",
        "SETCANCEL _Stop", "SETERROR Bad PIN (2 of 3)", "SETKEYINFO s/ABC") == String(repeating: "OK\n", count: 8))
    #expect(agent.send("GETPIN") == "")
    let screen = agent.screen
    #expect(screen?["kind"] == "form")
    #expect(screen?["title"] == "Key")
    #expect(screen?["body"] == "Enter it\n\nfor% me")
    #expect(
      screen?["schema"]?["properties"]?["pin"] == [
        "type": "string", "title": "PIN", "writeOnly": true, "format": "password",
      ])
    #expect(screen?["actions"]?.array?.compactMap { $0["title"]?.string } == ["OK", "Stop"])
    #expect(screen?["messages"]?[0]?["text"] == "Bad PIN (2 of 3)")
    #expect(try agent.answer(.okay(secrets: ["pin": "50%\r\nü"])) == "D 50%25%0D%0Aü\nOK\n")
    #expect(agent.send("GETPIN") == "")
    #expect(agent.screen?["messages"] == nil)
    #expect(try agent.answer(.okay()) == "OK\n")
  }

  @Test("Long data is split into lines of at most 1000 bytes")
  func longData() throws {
    var agent = Agent()
    _ = agent.send("GETPIN")
    let lines = try agent.answer(.okay(secrets: ["pin": String(repeating: "%", count: 700)])).split(separator: "\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 1000 })
    #expect(lines.dropLast().map { $0.dropFirst(2) }.joined() == String(repeating: "%25", count: 700))
  }

  @Test("Cancelling has the error codes that gpg-agent knows")
  func cancelling() throws {
    var agent = Agent()
    _ = agent.send("GETPIN")
    #expect(try agent.answer(.action("cancel")) == "ERR 83886179 Operation cancelled <Pinentry>\n")
    _ = agent.send("CONFIRM")
    #expect(agent.screen?["kind"] == "menu")
    #expect(try agent.answer(.action("cancel")) == "ERR 83886194 Not confirmed <Pinentry>\n")
    _ = agent.send("SETNOTOK _No", "CONFIRM")
    #expect(agent.screen?["actions"]?.array?.compactMap { $0["id"]?.string } == ["okay", "not-okay", "cancel"])
    #expect(try agent.answer(.action("not-okay")) == "ERR 83886194 Not confirmed <Pinentry>\n")
    _ = agent.send("CONFIRM")
    #expect(try agent.answer(.action("cancel")) == "ERR 83886179 Operation cancelled <Pinentry>\n")
    _ = agent.send("CONFIRM --one-button")
    #expect(agent.screen?["actions"]?.array?.count == 1)
    #expect(throws: PinentryAnswerError.unknownEvent("cancel")) { try agent.answer(.action("cancel")) }
    #expect(try agent.answer(.okay()) == "OK\n")
    _ = agent.send("MESSAGE")
    #expect(agent.screen?["kind"] == "message")
    #expect(try agent.answer(.okay()) == "OK\n")
    #expect(throws: PinentryAnswerError.notOpen(id: agent.questions.last?.id ?? 0)) { try agent.answer(.okay()) }
  }

  @Test("A new PIN is typed twice, until both are the same")
  func repeating() throws {
    var agent = Agent()
    _ = agent.send("SETREPEAT Again", "SETREPEATERROR Not the same", "GETPIN")
    #expect(agent.screen?["fields"] == ["pin", "pin-again"])
    #expect(try agent.answer(.okay(secrets: ["pin": "a", "pin-again": "b"])) == "")
    #expect(agent.screen?["messages"]?[0]?["text"] == "Not the same")
    #expect(try agent.answer(.okay(secrets: ["pin": "a", "pin-again": "a"])) == "S PIN_REPEATED\nD a\nOK\n")
    _ = agent.send("GETPIN")
    #expect(agent.screen?["fields"] == ["pin"])
    #expect(agent.screen?["messages"] == nil)
  }

  @Test("What the pinentry is, and the end")
  func information() {
    var agent = Agent()
    #expect(String(decoding: PinentrySession.greeting, as: UTF8.self) == "OK Pleased to meet you\n")
    #expect(agent.send("GETINFO pid", "getinfo version") == "D 42\nOK\nD 1.0\nOK\n")
    #expect(agent.send("OPTION ttyname=/dev/tty1", "GETINFO ttyinfo") == "OK\nD /dev/tty1 - - - 0/0 -\nOK\n")
    #expect(
      agent.send("GETINFO shoe", "DANCE")
        == "ERR 83886360 IPC parameter error <Pinentry>\nERR 536871187 Unknown IPC command <User defined source 1>\n")
    #expect(agent.send("", "# comment", "NOP") == "OK\n")
    #expect(agent.send(String(repeating: "x", count: 1001)).hasPrefix("ERR 536871175 "))
    #expect(agent.send("BYE", "NOP") == "OK closing connection\n")
    #expect(agent.hasEnded)
  }

  @Test("A question that gpg-agent does not wait for any longer is withdrawn")
  func endings() {
    var agent = Agent()
    _ = agent.send("SETTIMEOUT 30", "GETPIN", "NOP")
    #expect(agent.session.timeout == 30)
    agent.output = ""
    agent.take(agent.session.timeOut())
    #expect(agent.output == "ERR 83886142 Timeout <Pinentry>\nOK\n")
    #expect(agent.withdrawn == [1])
    _ = agent.send("GETPIN")
    agent.take(agent.session.close())
    #expect(agent.withdrawn == [1, 2])
    #expect(agent.hasEnded)
    #expect(agent.session.close().isEmpty)
  }

  @Test("RESET forgets the texts")
  func reset() {
    var agent = Agent()
    _ = agent.send("SETTITLE Key", "SETDESC x", "RESET", "GETPIN")
    #expect(agent.screen?["title"] == "gpg asks")
    #expect(agent.screen?["body"] == "")
  }

  @Test("Only two hexadecimal digits after a percent sign are a byte")
  func escapes() {
    var agent = Agent()
    _ = agent.send("SETDESC a%-0b%+1c%2\u{301}d%41e%\u{FF11}\u{FF11}", "GETPIN")
    #expect(agent.screen?["body"]?.string == "a%-0b%+1c%2\u{301}dAe%\u{FF11}\u{FF11}")
  }
}
