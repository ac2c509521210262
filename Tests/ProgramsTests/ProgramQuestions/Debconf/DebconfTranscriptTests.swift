import CoordinatorKit
import Forms
import ProgramQuestions
import Testing

/// The lines that debconf 1.5.82 sent.
@Suite("Conversations of real debconf", .timeLimit(.minutes(1)))
struct DebconfTranscriptTests {
  @Test("dpkg-reconfigure tzdata is answered with Europe and Rome")
  func timeZone() throws {
    var peer = DebconfPeer()
    #expect(peer.send("TITLE Configuring tzdata", "CAPB backup", "CAPB") == ["0", "0 backup", "0 backup"])
    peer.input(
      "tzdata/Areas", "select", "Geographic area:", details: "Please select the geographic area in which you live.",
      choices: "Africa, Americas, Arctic Ocean, Europe, None of the above", set: "None of the above")
    #expect(try peer.go(.select("Europe")) == "0 ok")
    #expect(peer.send("GET tzdata/Areas") == ["0 Europe"])
    #expect(peer.screen["kind"] == "list")
    #expect(peer.screen["name"] == "tzdata/Areas")
    #expect(peer.screen["title"] == "Configuring tzdata")
    #expect(peer.screen["choosing"] == ["initial": ["None of the above"]])
    #expect(peer.screen["body"] == "Geographic area:\n\nPlease select the geographic area in which you live.")
    peer.input("tzdata/Zones/Europe", "select", "Time zone:", choices: "Berlin, Büsingen, Rome")
    try peer.go(.select("Büsingen"))
    #expect(peer.send("GET tzdata/Zones/Europe") == ["0 Büsingen"])
    #expect(peer.blocks.map(\.allowsBack) == [true, true])
    #expect(peer.sections == ["tzdata"])
    peer.close()
    #expect(peer.withdrawn == [])
    #expect(peer.send("GO") == [])
  }

  @Test("Back leads to the question before, which proposes what was answered")
  func back() throws {
    var peer = DebconfPeer()
    peer.send("TITLE Configuring tzdata", "CAPB backup", "CAPB")
    peer.input("tzdata/Areas", "select", choices: "Africa, Europe", set: "Africa")
    try peer.go(.select("Europe"))
    peer.send("GET tzdata/Areas")
    peer.input("tzdata/Zones/Europe", "select", choices: "Oslo, Rome")
    #expect(try peer.go(.back) == "30 goback")
    peer.input("tzdata/Areas", "select", choices: "Africa, Europe", set: "Europe")
    #expect(try peer.go(.select("Europe")) == "0 ok")
    #expect(peer.screen["choosing"]?["initial"] == ["Europe"])
    #expect(peer.send("GET tzdata/Areas") == ["0 Europe"])
    peer.input("tzdata/Zones/Europe", "select", choices: "Oslo, Rome")
    try peer.go(.select("Oslo"))
    #expect(peer.send("GET tzdata/Zones/Europe") == ["0 Oslo"])
    #expect(peer.blocks.map(\.id) == [1, 2, 3, 4])
  }

  @Test("Progress is shown with its text, and is cancelled only if the package has said that it can be")
  func progress() {
    for announces in [false, true] {
      var peer = DebconfPeer()
      peer.send("TITLE Configuring demo", announces ? "CAPB backup progresscancel" : "CAPB backup")
      peer.send("DATA demo/title type text", "DATA demo/title description My progress.", "PROGRESS START 0 10 demo/title")
      #expect(peer.send("PROGRESS SET 2") == ["0"])
      peer.send("DATA demo/info type text", "DATA demo/info description We like progress")
      #expect(peer.send("PROGRESS INFO demo/info") == ["0"])
      #expect(peer.progress.last??.progress == Progress(fraction: 0.2, text: "We like progress"))
      #expect(peer.progress.last??.summary == "My progress.")
      #expect(peer.progress.last??.screen.actions.count == (announces ? 1 : 0))
      #expect(peer.connection.cancelProgress() == announces)
      #expect(peer.send("PROGRESS STEP 3") == [announces ? "30 canceled" : "0"])
      #expect(peer.progress.last??.fraction == 0.5)
      #expect(peer.send("PROGRESS STOP") == ["0"])
      #expect(peer.progress.last == .some(nil))
      #expect(peer.connection.cancelProgress() == false)
    }
  }

  @Test("The texts of progress and titles do not become questions")
  func textsAreNotQuestions() throws {
    var peer = DebconfPeer()
    peer.send("DATA a/title type title", "DATA a/title description Certificates", "SETTITLE a/title")
    peer.send("DATA a/b type text", "DATA a/b description Waiting", "PROGRESS START 0 3 a/b", "PROGRESS STOP")
    peer.input("a/c", "note", "Read this")
    try peer.go(.okay())
    #expect(peer.block?.questions.map(\.tag) == ["a/c"])
    #expect(peer.screen["title"] == "Certificates")
    #expect(peer.screen["kind"] == "message")
    #expect(peer.send("GET a/c") == ["0 "])
  }

  @Test("Unknown commands are answered with success")
  func unknownCommands() {
    var peer = DebconfPeer()
    #expect(
      peer.send("X_PING", "BEGINBLOCK", "FSET a/b seen true", "VERSION 2.0", "STOP", "", "PROGRESS REGION 1 2")
        == Array(
          repeating: "0", count: 7))
  }

  @Test("Lines may be cut anywhere")
  func chunks() throws {
    let lines = """
      TITLE Configuring büsingen
      CAPB backup
      DATA a/b type string
      DATA a/b description Käse?
      SET a/b äöü
      SUBST a/b X one
      two
      INPUT high a/b
      GO

      """
    var whole = DebconfConnection()
    let expected = whole.receive(Array(lines.utf8), recalling: DebconfMemory())
    var bytewise = DebconfConnection()
    let effects = lines.utf8.flatMap { bytewise.receive([$0], recalling: DebconfMemory()) }
    #expect(effects == expected)
    #expect(expected.count == 9)
    #expect(whole.openBlock?.questions.first?.summary == "Käse?")
  }

  @Test("Lines that arrive before the answer wait for it")
  func pipelined() throws {
    var peer = DebconfPeer()
    peer.input("a/b", "string")
    peer.send("GO", "GET a/b", "TITLE Later")
    #expect(peer.replies.count == 3)
    try peer.answer(.okay(["a/b": "x"]))
    #expect(peer.replies[3...] == ["0 ok", "0 x", "0"])
  }
}
