import Forms
import Testing
@testable import ProgramQuestions

@Suite(.timeLimit(.minutes(1))) struct DialogSessionTests {
  private func call(_ program: String, _ arguments: String...) -> [UInt8] {
    ([ShimMessage("shim", program.utf8)] + arguments.map { ShimMessage("argument", $0.utf8) } + [ShimMessage("ready")])
      .flatMap(\.encoded)
  }

  private func text(_ effects: [DialogSession.Effect]) -> String {
    effects.map { if case .send(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
  }

  @Test func `A question is answered once`() throws {
    var session = DialogSession()
    let effects = try session.receive(call("whiptail", "--yesno", "Really?", "0", "0"))
    let question = try #require(session.question)
    #expect(effects == [.ask(question)])
    let yes = ProgramAnswer.event("yes", payload: [:], secrets: [:])
    let effects1 = session.answer(yes)
    #expect(effects1 == [.send(Array("exit 1\n0".utf8)), .end(status: 0)])
    let effects2 = session.answer(yes)
    #expect(effects2.isEmpty)
    #expect(session.question == nil)
  }

  @Test func `The messages of a shim may arrive byte by byte`() throws {
    var session = DialogSession()
    var effects: [DialogSession.Effect] = []
    for byte in call("dialog", "--stdout", "--inputbox", "Name\nor two", "0", "0", "x y") {
      effects += try session.receive([byte])
    }
    #expect(effects.count == 1)
    let answer = ProgramAnswer.event("ok", payload: ["value": "z"], secrets: [:])
    let sent3 = text(session.answer(answer))
    #expect(sent3 == "output 3\n1 zexit 1\n0")
  }

  @Test func `The longest line of a message may arrive before its content`() throws {
    let message = ShimMessage(String(repeating: "x", count: 62), "y".utf8)
    var reader = ShimReader()
    let none = try reader.read(message.encoded.dropLast())
    #expect(none.isEmpty)
    let all = try reader.read(message.encoded.suffix(1))
    #expect(all == [message])
  }

  @Test func `Files are read by the shim`() throws {
    var session = DialogSession()
    let sent4 = try text(session.receive(call("dialog", "--file", "options")))
    #expect(sent4 == "read 7\noptions")
    let sent5 = try text(session.receive(ShimMessage("content", "--textbox \"a file\" 0 0".utf8).encoded))
    #expect(sent5 == "read-start 6\na file")
    session = DialogSession()
    let sent6 = try text(session.receive(call("dialog", "--editbox", "notes", "0", "0")))
    #expect(sent6 == "read-regular 5\nnotes")
    _ = try session.receive(ShimMessage("failed", "Is a directory".utf8).encoded)
    #expect(session.question == nil)
  }

  @Test func `A gauge shows what comes, under one name`() throws {
    var session = DialogSession()
    var effects = try session.receive(call("whiptail", "--gauge", "Wait", "0", "0", "5"))
    effects += try session.receive(ShimMessage("input", "50\nXXX\n75\nAlmost\nXX".utf8).encoded)
    effects += try session.receive(ShimMessage("input", "X\n".utf8).encoded)
    let shown = effects.compactMap { effect -> ProgramQuestion? in
      if case .show(let question) = effect { question } else { nil }
    }
    #expect(shown.map { $0.told["progress"]?["fraction"]?.number } == [0.05, 0.5, 0.75])
    #expect(shown.map { $0.told["body"]?.string } == ["Wait", "Wait", "Almost"])
    #expect(Set(shown.map { $0.told["name"] }).count == 1)
    let sent7 = try text(session.receive(ShimMessage("end").encoded))
    #expect(sent7 == "exit 1\n0")
  }

  @Test func `An infobox ends at once, or after the time that dialog was given`() throws {
    var session = DialogSession()
    let effects = try session.receive(call("whiptail", "--infobox", "Wait", "0", "0"))
    #expect(effects.last == .end(status: 0))
    session = DialogSession()
    let slow = try session.receive(call("dialog", "--sleep", "3", "--infobox", "Wait", "0", "0"))
    #expect(slow.last == .wait(seconds: 3))
    let effects8 = session.timePassed()
    #expect(effects8.last == .end(status: 0))
    let effects9 = session.timePassed()
    #expect(effects9.isEmpty)
  }

  @Test func `Two equal boxes are two questions`() throws {
    var session = DialogSession()
    _ = try session.receive(call("dialog", "--msgbox", "x", "0", "0", "--and-widget", "--msgbox", "x", "0", "0"))
    let okay = ProgramAnswer.event("ok", payload: [:], secrets: [:])
    let effects10 = session.answer(okay)
    #expect(effects10.count == 1)
    let effects11 = session.answer(okay)
    #expect(effects11.last == .end(status: 0))
  }

  @Test func `What makes no sense is an error`() {
    let long = String(repeating: "x", count: 100)
    for bytes in ["nonsense\n", "shim -1\n", "shim 99999999999\n", long, "ready 0\n", "argument 1\nx"] {
      var session = DialogSession()
      #expect(throws: ShimError.self, "\(bytes)") { _ = try session.receive(bytes.utf8) }
    }
    var session = DialogSession()
    #expect(throws: ShimError.unexpected("content")) {
      _ = try session.receive(call("dialog", "--msgbox", "x", "0", "0") + ShimMessage("content").encoded)
    }
  }
}
