import Forms
import ProgramQuestions
import Testing

@testable import CoordinatorKeeper

@Suite("What the shim passes on for gpg-agent, systemd and apt", .timeLimit(.minutes(1)))
struct AdapterCallTests {
  private let engine: ConnectionID = 1
  private let call: ConnectionID = 2

  private func scene(_ name: String, _ arguments: String...) -> KeeperScene {
    var scene = KeeperScene()
    scene.take(.connected(engine, .control))
    scene.take(.connected(call, .shim(caller: "x")))
    let messages = [ShimMessage("shim", name.utf8)] + arguments.map { ShimMessage("argument", $0.utf8) }
    scene.take(.received(call, (messages + [ShimMessage("ready")]).flatMap(\.encoded)))
    _ = scene.text(to: engine)
    return scene
  }

  private func say(_ text: String, _ scene: inout KeeperScene) {
    scene.take(.received(call, ShimMessage("input", text.utf8).encoded))
  }

  @Test("gpg-agent is greeted where it listens, and gets the passphrase that people have typed")
  func pinentry() throws {
    var scene = scene("pinentry", "10", "11")
    #expect(scene.text(to: call) == "output 26\n11 OK Pleased to meet you\n")
    say("SETDESC Unlock%0Athe key\nGETPIN\n", &scene)
    #expect(scene.text(to: call) == "output 6\n11 OK\n")
    scene.send(engine, "{\"watch\":0}\n")
    #expect(try scene.messages(to: engine).last?["question"]?["screen"]?["kind"] == "form")
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"okay\",\"secrets\":{\"pin\":\"a%b\"}}\n")
    #expect(scene.text(to: call) == "output 14\n11 D a%25b\nOK\n")
    say("BYE\n", &scene)
    #expect(scene.text(to: call).hasSuffix("exit 1\n0"))
  }

  @Test("A pinentry's question that gpg-agent gives up is withdrawn")
  func gone() throws {
    var scene = scene("pinentry")
    say("GETPIN\n", &scene)
    #expect(scene.state.questions.count == 1)
    scene.take(.received(call, ShimMessage("end").encoded))
    #expect(scene.state.questions.isEmpty)
  }

  @Test("An event that a pinentry's screen does not have leaves the question open")
  func unknownEvents() throws {
    var scene = scene("pinentry")
    say("GETPIN\n", &scene)
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"explode\"}\n")
    #expect(try scene.messages(to: engine).last?["refused"] == "r-1")
    #expect(scene.state.questions.count == 1)
  }

  @Test("A request of systemd is read, asked, and answered at its socket")
  func passwordRequest() throws {
    var scene = scene("password-request", "/run/systemd/ask-password/ask.x")
    #expect(scene.text(to: call) == "read-regular 31\n/run/systemd/ask-password/ask.x")
    let file = "[Ask]\nPID=1\nSocket=/run/sck.1\nMessage=The disk?\nEcho=0\n"
    scene.take(.received(call, ShimMessage("content", file.utf8).encoded))
    scene.send(engine, "{\"answer\":\"r-1\",\"event\":\"okay\",\"secrets\":{\"password\":\"k\"}}\n")
    #expect(try scene.messages(to: engine).last?["taken"] == "r-1")
    #expect(scene.text(to: call) == "datagram 13\n/run/sck.1\n+kexit 1\n0")
  }

  @Test("A request that no process waits for asks no user", arguments: ["NotAfter=1", "PID=2147483647"])
  func deadRequests(line: String) {
    var scene = scene("password-request", "/run/systemd/ask-password/ask.x")
    _ = scene.text(to: call)
    let file = "[Ask]\nSocket=/run/sck.1\nMessage=The disk?\n\(line)\n"
    scene.take(.received(call, ShimMessage("content", file.utf8).encoded))
    #expect(scene.state.questions.isEmpty)
    #expect(scene.text(to: call) == "exit 1\n0")
  }

  @Test("A file that is gone, or is not a request, asks no user", arguments: ["failed", "content"])
  func noRequest(reply: String) {
    var scene = scene("password-request", "/run/systemd/ask-password/ask.x")
    _ = scene.text(to: call)
    scene.take(.received(call, ShimMessage(reply, "nothing".utf8).encoded))
    #expect(scene.state.questions.isEmpty)
    #expect(scene.text(to: call) == (reply == "failed" ? "exit 1\n0" : "exit 1\n1"))
  }

  @Test("What apt says of its progress is shown while nothing is asked, however the lines are cut")
  func apt() throws {
    var scene = KeeperScene()
    scene.take(.connected(engine, .control))
    scene.take(.connected(call, .apt))
    scene.send(engine, "{\"watch\":0}\n")
    _ = scene.text(to: engine)
    scene.send(call, "pmstatus:hello:25.0:Unpacking hel")
    scene.send(call, "lo\nnonsense\n")
    scene.take(.timer(.progress))
    let progress = try scene.messages(to: engine).last?["progress"]
    #expect(progress?["fraction"]?.number == 0.25)
    #expect(progress?["text"] == "Unpacking hello")
    scene.take(.closed(call))
    scene.take(.timer(.progress))
    #expect(try scene.messages(to: engine).last?["progress"]?["fraction"] == nil)
  }
}
