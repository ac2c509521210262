import Forms
import ProgramQuestions
import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct KeeperStateTests {
  private let engine: ConnectionID = 1

  private func scene() -> KeeperScene {
    var scene = KeeperScene()
    scene.take(.connected(engine, .control))
    return scene
  }

  @Test func `Whoever connects learns what runs, and in which state`() throws {
    var scene = scene()
    let hello = try #require(try scene.messages(to: engine).first)
    #expect(
      hello == [
        "program": "p", "title": "P", "arguments": ["p", "-x"], "user": 7, "run": "r", "sequence": 0, "state": "working",
        "protocol": 1,
      ])
    scene.call(2, "--yesno", "Really?", "0", "0")
    scene.take(.connected(3, .control))
    let second = try #require(try scene.messages(to: 3).first)
    #expect(second["state"] == "asking")
    #expect(second["sequence"] == 1)
  }

  @Test func `Who watches hears of a question at once, and of it only once`() throws {
    var scene = scene()
    scene.send(engine, "{\"watch\":0}\n")
    _ = scene.text(to: engine)
    scene.call(2, "--yesno", "Really?", "0", "0")
    let message = try #require(try scene.messages(to: engine).first)
    #expect(message["sequence"] == 1)
    #expect(message["question"]?["id"] == "r-1")
    #expect(message["question"]?["back"] == false)
    #expect(message["question"]?["screen"]?["kind"] == "menu")
    scene.send(engine, "{\"watch\":1}\n")
    #expect(scene.text(to: engine).isEmpty)
    scene.send(engine, "{\"watch\":0}\n")
    #expect(try scene.messages(to: engine).first == message)
  }

  @Test func `A question that is offered again has the same id`() throws {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    scene.take(.closed(engine))
    var ids: [JSONValue?] = []
    for connection in 3..<6 {
      scene.take(.connected(connection, .control))
      scene.send(connection, "{\"watch\":0}\n")
      ids.append(try scene.messages(to: connection).last?["question"]?["id"])
    }
    #expect(ids == ["r-1", "r-1", "r-1"])
  }

  @Test func `An answer is taken once, and acknowledged as often as it comes`() throws {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    _ = scene.text(to: engine)
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"no\"}\n")
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"yes\"}\n")
    scene.send(engine, "{\"answer\":\"r-2\",\"event\":\"yes\"}\n{\"answer\":\"x-1\",\"event\":\"yes\"}\n")
    #expect(
      try scene.messages(to: engine) == [["taken": "r-1"], ["taken": "r-1"], ["stale": "r-2"], ["stale": "x-1"]])
    #expect(scene.text(to: 2) == "exit 1\n1")
    // The shim closes the connection after it has carried out its requests.
    #expect(scene.takeEffects().isEmpty)
  }

  @Test func `Of several questions, one is shown at a time`() throws {
    var scene = scene()
    for connection in 2...4 { scene.call(connection, "--yesno", "\(connection)?", "0", "0") }
    _ = scene.text(to: engine)
    for number in 1...3 {
      scene.send(engine, "{\"watch\":0}\n")
      #expect(try scene.messages(to: engine).last?["question"]?["id"] == .string("r-\(number)"))
      scene.send(engine, "{\"answer\":\"r-\(number)\",\"event\":\"yes\"}\n")
      _ = scene.text(to: engine)
    }
    #expect(scene.state.visible == .working)
    #expect(scene.state.sequence == 4)
  }

  @Test func `A shim that goes away withdraws its question`() throws {
    var scene = scene()
    scene.call(2, "--yesno", "One?", "0", "0")
    scene.call(3, "--yesno", "Two?", "0", "0")
    scene.send(engine, "{\"watch\":1}\n")
    _ = scene.text(to: engine)
    scene.take(.closed(3))
    #expect(scene.text(to: engine).isEmpty)
    scene.take(.closed(2))
    let working = try #require(try scene.messages(to: engine).first)
    #expect(working == ["sequence": 2, "working": ["lines": []]])
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"yes\"}\n")
    #expect(try scene.messages(to: engine) == [["stale": "r-1"]])
  }

  @Test func `Back is refused where the program does not offer it`() throws {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    _ = scene.text(to: engine)
    scene.send(engine, "{\"back\":\"r-1\"}\n")
    #expect(try scene.messages(to: engine).first?["refused"] == "r-1")
    #expect(scene.state.visible == .asking(QuestionID(1)))
  }

  @Test func `What a shim says wrongly ends its connection`() {
    var scene = scene()
    scene.take(.connected(2, .shim(caller: "")))
    scene.take(.received(2, Array("nonsense\n".utf8)))
    #expect(scene.takeEffects() == [.close(2)])
  }

  @Test func `What the program prints is told now and then`() throws {
    var scene = scene()
    scene.send(engine, "{\"watch\":0}\n")
    _ = scene.text(to: engine)
    scene.take(.printed(Array("one\n".utf8)))
    #expect(try scene.messages(to: engine) == [["progress": ["lines": ["one"]]]])
    #expect(scene.takeEffects() == [.wait(.progress, milliseconds: 250)])
    scene.take(.printed(Array("two\n".utf8)))
    scene.take(.printed(Array("three\n".utf8)))
    #expect(scene.text(to: engine).isEmpty)
    scene.take(.timer(.progress))
    #expect(try scene.messages(to: engine) == [["progress": ["lines": ["one", "two", "three"]]]])
    scene.take(.timer(.progress))
    #expect(scene.text(to: engine).isEmpty)
  }

  @Test func `dpkg's question is withdrawn when dpkg goes on`() throws {
    var scene = scene()
    scene.take(.printed(Array("*** a.conf (Y/I/N/O/D/Z) [default=N] ? ".utf8)))
    scene.take(.timer(.quiet))
    #expect(scene.state.visible == .asking(QuestionID(1)))
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"keep\"}\n")
    #expect(scene.takeEffects() == [.wait(.quiet, milliseconds: 30), .type(Array("N\n".utf8))])
    scene.take(.printed(Array("N\r\n*** b.conf (Y/I/N/O/D/Z) [default=N] ? ".utf8)))
    scene.take(.timer(.quiet))
    #expect(scene.state.visible == .asking(QuestionID(2)))
    scene.take(.printed(Array("^C".utf8)))
    #expect(scene.state.visible == .working)
  }

  @Test(arguments: ["word ", "item [1] ", "Continue? [Y/n] ", "*** a.conf (Y/I/N/O/D/Z) [default=N] ? "])
  func `What is printed is not looked at before the program waits`(text: String) {
    var scene = scene()
    _ = scene.text(to: engine)
    for _ in 0..<20_000 { scene.take(.printed(Array(text.utf8))) }
    // Each event restarts the same timer.
    #expect(Set(scene.takeEffects()) == [.wait(.quiet, milliseconds: 30)])
    #expect(scene.state.sequence == 0)
    #expect(scene.state.visible == .working)
  }

  @Test func `A question on the terminal that the program has left behind is none`() {
    var scene = scene()
    scene.take(.printed(Array("Continue? [Y/n] ".utf8)))
    scene.take(.printed(Array("no\n".utf8)))
    scene.take(.timer(.quiet))
    #expect(scene.state.visible == .working)
    scene.take(.printed(Array("Continue? [Y/n] ".utf8)))
    scene.take(.timer(.quiet))
    #expect(scene.state.visible == .asking(QuestionID(1)))
    scene.take(.timer(.quiet))
    #expect(scene.state.questions.count == 1)
    scene.take(.printed(Array("\nContinue? [Y/n] ".utf8)))
    scene.take(.ended(.status(0)))
    scene.take(.timer(.quiet))
    #expect(scene.state.questions.isEmpty)
  }

  @Test func `Who connects and does not say what it wants is dropped`() throws {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    scene.take(.connected(3, .shim(caller: "")))
    scene.take(.received(3, Array("shim 8\nwhip".utf8)))
    scene.take(.connected(4, .control))
    scene.send(4, "{\"watch\":0}\n")
    scene.take(.connected(5, .control))
    scene.send(5, "{\"watch\":")
    #expect(scene.timed == [1, 2, 3, 4, 5])
    _ = scene.takeEffects()
    _ = scene.text(to: 5)
    for id in 2...5 { scene.take(.timer(.silent(id))) }
    #expect(scene.takeEffects() == [.close(3), .close(5)])
    #expect(try scene.messages(to: 5).first?["error"] != nil)
    #expect(scene.state.visible == .asking(QuestionID(1)))
  }

  @Test func `A shim that was told its answer gives its place back in time`() {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"yes\"}\n")
    #expect(scene.timed == [1, 2, 2])
    _ = scene.takeEffects()
    scene.take(.timer(.silent(2)))
    #expect(scene.takeEffects() == [.close(2)])
    #expect(scene.state.troubles == ["whiptail, called by sh, was answered and has not ended"])
  }

  @Test func `Silent connections of debconf give their places to others, the oldest first, and no other does`() {
    var scene = scene()
    for id in 2...5 { scene.take(.connected(id, .debconf(package: ""))) }
    scene.take(.received(2, Array("CAPB backup\n".utf8)))
    for id in 2...4 { scene.take(.timer(.silent(id))) }
    scene.take(.received(3, Array("CAPB backup\n".utf8)))
    _ = scene.takeEffects()
    // The first connection has sent bytes, the second too, but later; the last one's time limit has not passed.
    for _ in 0..<2 { scene.take(.crowded) }
    #expect(scene.takeEffects() == [.close(4)])
    scene.take(.timer(.silent(5)))
    scene.take(.closed(5))
    scene.take(.crowded)
    #expect(scene.takeEffects().isEmpty)
  }
}
