import Forms
import ProgramQuestions
import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct KeeperEndingTests {
  private let engine: ConnectionID = 1

  private func scene() -> KeeperScene {
    var scene = KeeperScene()
    scene.take(.connected(engine, .control))
    _ = scene.text(to: engine)
    return scene
  }

  @Test func `The end is told with the last lines, and kept until somebody knows it`() throws {
    var scene = scene()
    scene.take(.printed(Array("done\n".utf8)))
    scene.take(.ended(.status(3)))
    #expect(scene.takeEffects() == [.wait(.unfetched, milliseconds: 60_000)])
    scene.send(engine, "{\"watch\":0}\n")
    #expect(try scene.messages(to: engine) == [["sequence": 1, "ended": ["status": 3], "lines": ["done"]]])
    #expect(scene.takeEffects().isEmpty)
    scene.send(engine, "{\"end\":true}\n")
    #expect(try scene.messages(to: engine) == [["ending": true]])
    #expect(scene.takeEffects() == [.leave])
  }

  @Test func `Whoever hears of the end hears whether the last lines are not all`() throws {
    var scene = scene()
    for number in 0..<100 { scene.take(.printed(Array("\(number)\n".utf8))) }
    scene.take(.ended(.status(3)))
    scene.send(engine, "{\"watch\":0}\n")
    let end = try #require(try scene.messages(to: engine).last)
    #expect(end["ended"] == ["status": 3] && end["cut"] == true && end["lines"]?.array?.count == 24)
  }

  @Test func `The keeper stays until everybody who is connected knows of the end`() {
    var scene = scene()
    scene.take(.connected(2, .control))
    scene.take(.ended(.signal(9)))
    scene.send(engine, "{\"watch\":0}\n{\"end\":true}\n")
    #expect(scene.takeEffects() == [.wait(.unfetched, milliseconds: 60_000)])
    scene.take(.closed(2))
    #expect(scene.takeEffects() == [.leave])
  }

  @Test func `Nobody is waited for any longer than a while`() {
    var scene = scene()
    scene.take(.ended(.status(0)))
    scene.take(.timer(.unfetched))
    #expect(scene.takeEffects().last == .leave)
  }

  @Test func `Calls of what the program leaves behind end`() {
    var scene = scene()
    scene.call(2, "--yesno", "Really?", "0", "0")
    scene.take(.ended(.status(0)))
    #expect(scene.takeEffects() == [.close(2), .wait(.unfetched, milliseconds: 60_000)])
    scene.take(.connected(3, .shim(caller: "")))
    #expect(scene.takeEffects() == [.close(3)])
  }

  @Test func `Whoever hears of the end hears of what has failed, each reason once`() throws {
    var scene = scene()
    for id in [2, 3] {
      scene.take(.connected(id, .shim(caller: "sh")))
      scene.take(.received(id, ShimMessage("shim", "whiptail".utf8).encoded + ShimMessage("nonsense").encoded))
    }
    scene.take(.connected(4, .shim(caller: "")))
    scene.take(.timer(.silent(4)))
    scene.call(5, "--yesno", "Really?", "0", "0")
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"yes\"}\n")
    _ = scene.takeEffects()
    scene.take(.received(5, ShimMessage("trouble", "cannot write the answer".utf8).encoded))
    #expect(scene.takeEffects() == [.close(5)])
    scene.call(6, "--yesno", "Really?", "0", "0")
    scene.take(.received(6, ShimMessage("trouble", "cannot go on".utf8).encoded))
    #expect(scene.state.visible == .working)
    for number in 0..<100 { scene.take(.trouble("trouble \(number)")) }
    scene.take(.ended(.status(0)))
    scene.send(engine, "{\"watch\":0}\n")
    let troubles = try #require(try scene.messages(to: engine).last?["troubles"]?.array)
    #expect(troubles.count == 10)
    #expect(
      troubles.prefix(5) == [
        "whiptail, called by sh, was lost: it sent 'nonsense', which has no meaning there",
        "a program, called by a process that is not known, has connected and did not say what it asks",
        "whiptail, called by sh, was lost: cannot write the answer",
        "whiptail, called by sh, was lost: cannot go on", "trouble 0",
      ])
  }

  @Test func `A block of debconf is finished before the end`() {
    var scene = scene()
    scene.take(.connected(2, .debconf(package: "")))
    scene.take(.received(2, Array("DATA a/b type note\nINPUT high a/b\nGO\n".utf8)))
    scene.take(.ended(.status(0)))
    #expect(scene.state.visible == .asking(QuestionID(1)))
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"okay\"}\n")
    #expect(scene.state.visible == .asking(QuestionID(1)) || scene.state.visible == .working)
    scene.take(.received(2, Array("GET a/b\n".utf8)))
    #expect(scene.state.visible == .ended(.status(0)))
  }

  @Test func `What is told to end has five seconds`() {
    var scene = scene()
    scene.send(engine, "{\"end\":true}\n{\"end\":true}\n")
    #expect(scene.takeEffects() == [.terminate, .wait(.patience, milliseconds: 5_000)])
    scene.take(.ended(.signal(15)))
    #expect(scene.state.visible == .working)
    scene.take(.timer(.patience))
    #expect(scene.takeEffects() == [.kill, .wait(.patience, milliseconds: 200)])
    scene.take(.childless)
    #expect(scene.state.visible == .ended(.signal(15)))
  }

  @Test func `What no signal reaches loses its terminal, and is left`() {
    var scene = scene()
    scene.send(engine, "{\"end\":true}\n")
    for _ in 0..<30 { scene.take(.timer(.patience)) }
    let effects = scene.takeEffects()
    #expect(effects.count { $0 == .hangUp } == 1)
    #expect(scene.state.visible == .ended(.outOfReach))
  }

  @Test func `A keeper that is interrupted leaves as soon as the program has ended`() {
    var scene = scene()
    scene.take(.interrupted)
    scene.take(.ended(.signal(15)))
    _ = scene.takeEffects()
    scene.take(.childless)
    #expect(scene.takeEffects().last == .leave)
  }
}
