import CoordinatorKit
import Forms
import Testing
@testable import ProgramQuestions

@Suite(.timeLimit(.minutes(1))) struct DialogQuestionTests {
  private func asked(_ program: DialogInvocation.Program, _ arguments: ProgramText...) -> ProgramQuestion? {
    if case .ask(let question) = DialogInvocation(program, arguments).step(after: []) { question } else { nil }
  }

  private func result(
    _ program: DialogInvocation.Program, _ arguments: [ProgramText], _ answers: ProgramAnswer...
  ) -> CommandResult? {
    let step = DialogInvocation(program, arguments).step(after: answers.map { .answer($0) })
    guard case .end(let result) = step else { return nil }
    return result
  }

  @Test func `A menu of whiptail is a list that its tags choose from`() throws {
    let question = try #require(
      asked(
        .whiptail, "--title", "Setup", "--menu", "Pick one:\\nnow", "18", "60", "8", "S1", "Wi-Fi", "S2", "Locale", "--notags"))
    #expect(question.told["kind"] == "list")
    #expect(question.told["name"] == "menu-setup-pick-one-now")
    #expect(question.told["title"] == "Setup")
    #expect(question.told["body"] == "Pick one:\nnow")
    #expect(question.told["items"] == [["id": "S1", "title": "Wi-Fi"], ["id": "S2", "title": "Locale"]])
    #expect(question.told["actions"] == [["id": "cancel", "title": "Cancel", "role": "cancel"]])
    #expect(!question.allowsBack)
  }

  @Test func `A cancel label that says Back is Back and no action`() throws {
    let arguments: [ProgramText] = ["--menu", "Pick", "0", "0", "0", "a", "A", "--cancel-button", "<Back>"]
    guard case .ask(let question) = DialogInvocation(.whiptail, arguments).step(after: []) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.allowsBack)
    #expect(question.told["actions"] == [])
    #expect(result(.whiptail, arguments, .back) == CommandResult(status: 1))
    #expect(result(.whiptail, ["--msgbox", "x", "0", "0"], .back) == nil)
  }

  @Test(arguments: [DialogInvocation.Program.whiptail, .dialog])
  func `The button that Enter presses in a yes-no box is the default of a menu`(program: DialogInvocation.Program) throws {
    for (arguments, choice) in [([], "yes"), (["--defaultno"], "no")] as [([ProgramText], JSONValue)] {
      let invocation = DialogInvocation(program, arguments + ["--yesno", "Go on?", "0", "0"])
      guard case .ask(let question) = invocation.step(after: []) else {
        Issue.record("nothing is asked")
        return
      }
      #expect(question.told["default"] == choice)
      #expect(question.told["actions"]?.array?.compactMap { $0["role"]?.string } == ["normal", "normal"])
    }
  }

  @Test func `A password is a secret that no screen contains`() throws {
    let arguments: [ProgramText] = ["--passwordbox", "Password:", "0", "0", "hunter2"]
    let question = try #require(asked(.dialog, "--passwordbox", "Password:", "0", "0", "hunter2"))
    #expect(!question.told.canonicalText.contains("hunter2"))
    #expect(question.told["schema"]?["properties"]?["value"]?["writeOnly"] == true)
    let typed = ProgramAnswer.event("ok", payload: [:], secrets: ["value": Array("geheim".utf8)])
    #expect(result(.dialog, arguments, typed) == CommandResult(status: 0, outputs: [.init(Array("geheim".utf8), to: 2)]))
    let kept = ProgramAnswer.event("ok", payload: [:], secrets: [:])
    #expect(result(.dialog, arguments, kept)?.outputs.first?.bytes == Array("hunter2".utf8))
  }

  @Test func `Escape sequences, controls and marks of direction are shown, not obeyed`() throws {
    let text: ProgramText = "red \u{1b}[31mtext\u{7} and \u{202e}txt.exe\u{9b}2J\r\n<b>&"
    let question = try #require(asked(.whiptail, "--title", "\u{1b}]0;owned\u{7}", "--msgbox", text, "0", "0"))
    #expect(question.told["title"] == "␛]0;owned␇")
    #expect(question.told["body"] == "red ␛[31mtext␇ and ⟨202E⟩txt.exe\u{FFFD}2J\n<b>&")
    let tag = ProgramText([0x61, 0xff, 0x1b])
    let menu = try #require(asked(.dialog, "--menu", "x", "0", "0", "0", tag, "text"))
    #expect(menu.told["items"] == [["id": "#1", "title": "a\u{FFFD}␛ text"]])
    let chosen = ProgramAnswer.event("select", payload: ["id": "#1"], secrets: [:])
    #expect(result(.dialog, ["--menu", "x", "0", "0", "0", tag, "text"], chosen)?.outputs == [.init(tag.bytes, to: 2)])
  }

  @Test func `What is bold or red in dialog is emphasized, and the rest of its markup is dropped`() throws {
    let question = try #require(asked(.dialog, "--colors", "--msgbox", "\\Zb\\Z1Stop\\Zn here \\Z7now", "0", "0"))
    #expect(question.told["body"] == "Stop here now")
    let spans: JSONValue = [["text": "Stop", "style": "strong"], ["text": " here now"]]
    #expect(question.told["blocks"]?[0]?["spans"]?[0] == spans[0])
    let texts = question.told["blocks"]?[0]?["spans"]?.array?.compactMap { $0["text"]?.string }.joined()
    #expect(texts == "Stop here now")
  }

  @Test func `The title is the box's, the one behind it, or the program's`() throws {
    let step: JSONValue = ["number": 3, "count": 31]
    let behind = try #require(asked(.whiptail, "--backtitle", "Helper [Step 3/31]", "--msgbox", "x", "0", "0"))
    #expect(behind.told["title"] == "Helper [Step 3/31]")
    #expect(behind.told["step"] == step)
    var invocation = DialogInvocation(.dialog, ["--msgbox", "x", "0", "0"])
    invocation.programTitle = "raspi-config"
    guard case .ask(let question) = invocation.step(after: []) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.told["title"] == "raspi-config")
    #expect(question.told["step"] == nil)
  }

  @Test func `Words about steps are understood, others are not`() {
    #expect(DialogLook.step(in: "Step 2 of 5: disks") == Step(2, of: 5))
    #expect(DialogLook.step(in: "STEP 7") == Step(7))
    #expect(DialogLook.step(in: "Step 7, then 8") == Step(7))
    for text: ProgramText in ["", "step", "step by step", "Stepper 3/4", "3/4", "step 0/3", "step x/3"] {
      #expect(DialogLook.step(in: text) == nil, "\(text.string)")
    }
  }

  @Test func `A text that is set with blanks keeps its columns`() throws {
    let table = try #require(asked(.whiptail, "--msgbox", "Name    Size\\nroot    5 GB", "0", "0"))
    #expect(table.told["blocks"]?[0]?["kind"] == "verbatim")
    #expect(try #require(asked(.whiptail, "--msgbox", "  Name and size", "0", "0")).told["blocks"] == nil)
  }

  @Test func `A long text is cut and a question with ten thousand rows is made`() throws {
    let long = ProgramText(String(repeating: "x", count: 300_000))
    #expect(try #require(asked(.whiptail, "--msgbox", long, "0", "0")).told["body"]?.string?.count == 100_001)
    let rows = (0..<10_000).flatMap { number -> [ProgramText] in [ProgramText("tag\(number)"), "row"] }
    let step = DialogInvocation(.dialog, ["--menu", "x", "0", "0", "0"] + rows).step(after: [])
    guard case .ask(let question) = step else {
      Issue.record("nothing is asked")
      return
    }
    #expect(question.told["items"]?.array?.count == 10_000)
  }

  @Test func `An answer that does not fit is asked for again`() {
    let arguments: [ProgramText] = ["--yesno", "Really?", "0", "0"]
    let wrong = ProgramAnswer.event("select", payload: ["id": "x"], secrets: [:])
    let no = ProgramAnswer.event("no", payload: [:], secrets: [:])
    let cancel = ProgramAnswer.event("cancel", payload: [:], secrets: [:])
    let menu: [ProgramText] = ["--menu", "x", "0", "0", "0", "a", "A"]
    #expect(result(.whiptail, menu, wrong) == nil)
    #expect(result(.whiptail, menu, wrong, cancel)?.status == 1)
    #expect(result(.whiptail, arguments, .event("extra", payload: [:], secrets: [:]), no)?.status == 1)
  }

  @Test func `Extra asks for the row that it is about, and Back returns to the question`() throws {
    let arguments: [ProgramText] = ["--extra-button", "--extra-label", "Edit", "--menu", "x", "0", "0", "0", "a", "A", "b", "B"]
    let extra = ProgramAnswer.event("extra", payload: [:], secrets: [:])
    guard case .ask(let followUp) = DialogInvocation(.dialog, arguments).step(after: [.answer(extra)]) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(followUp.allowsBack)
    #expect(followUp.told["name"] == "menu-more-x")
    let row = ProgramAnswer.event("select", payload: ["id": "b"], secrets: [:])
    #expect(result(.dialog, arguments, extra, row) == CommandResult(status: 3, outputs: [.init(Array("b".utf8), to: 2)]))
    #expect(result(.dialog, arguments, extra, .back, row) == CommandResult(status: 0, outputs: [.init(Array("b".utf8), to: 2)]))
  }

  @Test func `A timeout is Escape, unless the environment has a status for it`() throws {
    let arguments: [ProgramText] = ["--timeout", "5", "--msgbox", "x", "0", "0"]
    #expect(try #require(asked(.dialog, "--timeout", "5", "--msgbox", "x", "0", "0")).timeout == 5)
    #expect(try #require(asked(.dialog, "--timeout", "5", "--inputbox", "x", "0", "0")).timeout == nil)
    let passed = ProgramAnswer.event("timeout", payload: [:], secrets: [:])
    #expect(result(.dialog, arguments, passed) == CommandResult(status: 255))
    let invocation = DialogInvocation(.dialog, arguments, environment: ["DIALOG_TIMEOUT": "9"])
    let message = CommandResult.Output(Array("\ntimeout\n".utf8), to: 2)
    #expect(invocation.step(after: [.answer(passed)]) == .end(CommandResult(status: 9, outputs: [message])))
    #expect(result(.dialog, ["--pause", "x", "0", "0", "9"], passed) == CommandResult(status: 0))
  }

  @Test func `Boxes that no program uses are refused with a sentence`() {
    let result = result(.dialog, ["--calendar", "x", "0", "0"])
    #expect(result?.status == 255)
    #expect(result?.outputs == [.init(Array("dialog: the box --calendar is not supported here\n".utf8), to: 2)])
  }
}
