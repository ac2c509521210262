import CoordinatorKit
import DBus
import Foundation
import TestBus
import Testing

@Suite("coordinatorctl answer", .timeLimit(.minutes(5)))
struct AnswerTests {
  private let answers: Answers

  init() async throws { answers = try await Answers() }

  private static let visit = """
    flow: schedule-visit
    answers:
      schedule-visit:
        select-visit-type: sick
        select-pain-level: little
        faking-it: is-fake

    """

  private static func account(_ password: String) -> String {
    """
    flow: account
    answers:
      account:
        log-in: { username: demo, password: \(password) }
        user-profile: done

    """
  }

  @Test("'coordinatorctl answer' plays a flow to its end and prints its result")
  func answerPlaysAFlowAndPrintsItsResult() async throws {
    let report = try await answers.play(Self.visit)
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output == "faked: true\npain: little\nvisit: sick\n")
    #expect(report.errors.isEmpty)
    #expect(
      try await answers.play(Self.visit, "--json").output
        == #"{"outcome":"finished","result":{"faked":true,"pain":"little","visit":"sick"}}"# + "\n")
  }

  @Test("'coordinatorctl answer' selects list items in nested coordinators and goes back")
  func answerSelectsItemsInNestedCoordinators() async throws {
    let report = try await answers.play(
      """
      flow: kanji
      answers:
        kanji-list:
          - kanji-list: [{ select: 水 }, { back: true }]
          - kanji-list: { back: true }
        kanji-detail:
          kanji-detail: [{ select: 水曜日 }, { back: true }]
      """)
    #expect(report.status == .exited(3), "\(report)")
    #expect(report.errors.isEmpty)
  }

  @Test("Two children of the same flow each get their own answers")
  func twoChildrenOfOneFlowGetTheirOwnAnswers() async throws {
    let report = try await answers.play(
      """
      flow: pets
      answers:
        pets:
          home: [schedule-visit, schedule-visit, { dismiss: true }]
        pets/schedule-visit:
          - select-visit-type: { back: true }
          - { select-visit-type: well, no-appointment-required: okay }
      """)
    #expect(report.status == .exited(3), "\(report)")
    #expect(report.errors.isEmpty)
  }

  @Test("Secrets are read from a file descriptor, a credential, or a file")
  func secretsAreReadFromDescriptorCredentialAndFile() async throws {
    let byDescriptor = try await answers.play(Self.account("{ fd: 3 }"), descriptor: "open-sesame\nmore\n")
    #expect(byDescriptor.status == .exited(0), "\(byDescriptor)")
    #expect(byDescriptor.output == "username: demo\n")
    let path = try answers.file("open-sesame\n", "password")
    let byCredential = try await answers.play(
      Self.account("{ credential: password }"), environment: ["CREDENTIALS_DIRECTORY": answers.daemon.bus.directory])
    #expect(byCredential.status == .exited(0), "\(byCredential)")
    #expect(try await answers.play(Self.account("{ file: \(path) }")).status == .exited(0))
  }

  @Test(
    "An unreadable secret is reported with its key and the reason, and nothing is started",
    arguments: [
      ("{ fd: 9999 }", "fd 9999 is not open for reading"), ("{ credential: password }", "CREDENTIALS_DIRECTORY is not set"),
      ("{ file: /nowhere }", "No such file"), ("{ fd: 0 }", "fd 0 has no more lines"),
      ("open-sesame", "is a secret, which must not be in the file"),
    ])
  func unreadableSecretIsReportedWithItsReason(reference: String, reason: String) async throws {
    let report = try await answers.play(Self.account(reference), environment: ["CREDENTIALS_DIRECTORY": ""])
    #expect(report.status == .exited(1), "\(report)")
    #expect(report.errors.contains("answers: account: log-in: password: "))
    #expect(report.errors.contains(reason))
    #expect(!report.errors.contains("open-sesame"))
    #expect(try await answers.active().isEmpty)
  }

  @Test("After a wrong password the form needs a second answer, and its key is reported as missing")
  func wrongPasswordNeedsASecondAnswer() async throws {
    let report = try await answers.play(Self.account("{ fd: 3 }"), descriptor: "wrong\n")
    #expect(report.status == .exited(5), "\(report)")
    #expect(
      report.errors.hasPrefix(
        """
        coordinatorctl: answers: account: log-in: The user name or the password is wrong.
          it was refused, and the screen is shown again: no answer for answers: account: log-in: #2

        """))
  }

  @Test("A missing answer is reported with its key and its possible values, and the flow is dismissed")
  func missingAnswerIsReportedWithItsChoices() async throws {
    let file = Self.visit.replacing("    select-pain-level: little\n", with: "")
    for options in [[], ["--missing", "ask"], ["--missing", "default"]] {
      let report = try await answers.control(["answer", answers.file(file)] + options)
      #expect(report.status == .exited(5))
      #expect(
        report.errors == """
          coordinatorctl: no answer for answers: schedule-visit: select-pain-level
            expected:
              answers:
                schedule-visit:
                  select-pain-level: ACTION   # none, little, moderate, severe, worst-possible
                  select-pain-level: { back: true }

          """)
      #expect(report.output.isEmpty)
    }
    #expect(try await answers.active().isEmpty)
    let report = try await answers.play(file, "--json")
    let error = try JSONDecoder().decode(JSONValue.self, from: Data(report.errors.utf8))["error"]
    #expect(error?["missing"] == [["answers", "schedule-visit", "select-pain-level"]])
    #expect(error?["screen"]?["name"] == "select-pain-level")
  }

  @Test("A flow with a token stays when an answer is missing, and the same command resumes it")
  func flowWithATokenStaysAndIsResumed() async throws {
    let first = try await answers.play(Self.visit.replacing("select-pain-level", with: "nothing"), "--token", "mine")
    #expect(first.status == .exited(5))
    #expect(first.errors.contains("the flow continues: coordinator-tui mine"))
    #expect(try await answers.active() == ["mine"])
    for _ in 0..<2 {
      let again = try await answers.play(Self.visit, "--token", "mine")
      #expect(again.status == .exited(0), "\(again)")
      #expect(again.output == "faked: true\npain: little\nvisit: sick\n")
    }
  }

  @Test("The token of a cancelled flow plays nothing, prints the old outcome, and exits with status 6")
  func tokenOfACancelledFlowExitsWithSix() async throws {
    _ = try await answers.control(["start", "schedule-visit", "--token", "mine"])
    _ = try await answers.control(["dismiss", "mine"])
    let report = try await answers.play(Self.visit, "--token", "mine", "--strict")
    #expect(report.status == .exited(6), "\(report)")
    #expect(report.output == "The flow was cancelled.\n")
    #expect(report.errors.contains("'mine' has already ended"))
    #expect(!report.errors.contains("never requested"))
  }

  @Test("An item that is not in its list is awaited, which is reported, until the timeout expires")
  func missingItemIsAwaitedUntilTheTimeout() async throws {
    let report = try await answers.play(
      "flow: kanji-list\ninput: {word: 日本}\nanswers: {kanji-list: {kanji-list: {select: 水}}}", "--wait", "100ms")
    #expect(report.status == .exited(1), "\(report)")
    #expect(report.errors.contains("'水' is not in the list yet; waiting for it"))
    #expect(report.errors.contains("select: '水' is not one of the items"))
    #expect(report.errors.contains("kanji-list: { select: ITEM }   # 日, 本"))
  }

  @Test("Answers can be played in a running tree, but only if it is of the same flow")
  func answersArePlayedInARunningTree() async throws {
    _ = try await answers.control(["start", "schedule-visit", "--token", "a"])
    _ = try await answers.control(["send", "a", "well"])
    let other = try await answers.play("flow: pets", "--tree", "a")
    #expect(other.status == .exited(1))
    #expect(other.errors.contains("is for 'pets', but a is 'schedule-visit'"))
    let report = try await answers.play(
      "answers: {schedule-visit: {no-appointment-required: okay, faking-it: is-fake}}", "--tree", "a", "--strict")
    #expect(report.status == .exited(1))
    #expect(report.output == "visit: well\n")
    #expect(report.errors == "coordinatorctl: never requested: answers: schedule-visit: faking-it\n")
  }

  @Test("The screens' defaults are used if the answers file says so")
  func defaultsOfScreensAreTakenOnRequest() async throws {
    let report = try await answers.play("flow: how-to-code\nmissing: default")
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output == "steps: 4\n")
  }

  @Test("Input comes from the file and the command line, and is typed as the flow's schema says")
  func inputComesFromFileAndCommandLine() async throws {
    let file = "flow: kanji-detail\ninput: { kanji: 人 }\nanswers: {kanji-detail: {kanji-detail: {back: true}}}"
    #expect(try await answers.play(file).status == .exited(3))
    #expect(try await answers.play(file, "kanji=水").status == .exited(3))
    let wrong = try await answers.play(file, "kanji=x")
    #expect(wrong.status == .exited(9))
    #expect(wrong.errors.contains("  kanji: "))
  }

  @Test("Invalid answers files and unknown flows are reported with what is wrong")
  func invalidFilesAndUnknownFlowsAreReported() async throws {
    let file = try await answers.play("answers: {pets: go}")
    #expect(file.status == .exited(1))
    #expect(file.errors.contains("answers.yaml: line 1: answers: pets: must be"))
    let flow = try await answers.play("flow: pest")
    #expect(flow.errors.contains("did you mean 'pets'?"))
    #expect(try await answers.control(["answer", "/nowhere"]).status == .exited(1))
    #expect(try await answers.play(Self.visit, "--missing", "maybe").status == .exited(64))
  }

  @Test("--check plays a flow that is declared to have no effect, and only validates the file for any other flow")
  func checkPlaysOnlyFlowsWithoutEffect() async throws {
    #expect(try await answers.play(Self.visit, "--check").output == "faked: true\npain: little\nvisit: sick\n")
    let missing = try await answers.play("flow: schedule-visit", "--check", "--missing", "ask")
    #expect(missing.status == .exited(5), "\(missing)")
    let file = try answers.file("open-sesame", "password")
    let untried = try await answers.play(Self.account("{ file: \(file) }"), "--check")
    #expect(untried.status == .exited(0), "\(untried)")
    #expect(untried.lines.last == "The screens were not checked: account does not declare that it can be played without effect.")
    let wrong = try await answers.play(
      "flow: kanji-detail\ninput: {word: a}\nanswers: {pest: {}, account: {log-in: {password: {file: /nowhere}}}}", "--check")
    #expect(wrong.status == .exited(1))
    #expect(
      wrong.errors.split(separator: "answers.yaml: ").dropFirst().map { $0.prefix { $0 != "\n" } } == [
        "input: kanji: is required", "input: word: is not a known field", "answers: pest: there is no flow 'pest'",
        "answers: account: log-in: password: cannot read '/nowhere': No such file or directory",
      ], "\(wrong)")
    #expect(try await answers.active().isEmpty)
  }

  @Test("The answers file is read from standard input if its name is '-'")
  func answersFileIsReadFromStandardInput() async throws {
    let report = try await answers.control(["answer", "-"], input: Self.visit)
    #expect(report.status == .exited(0), "\(report)")
  }

  @Test("'coordinatorctl answer' gives up after its timeout")
  func answerGivesUpAfterItsTimeout() async throws {
    // No process writes to the pipe, so reading from it never returns.
    let pipe = answers.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let line = ["sh", "-c", "exec 3<>\"$0\"; exec \"$@\"", pipe, try Built.executable("coordinatorctl"), "answer"]
    let report = try await Program.run(
      line + [answers.file(Self.account("{ fd: 3 }")), "--timeout", "200ms"], environment: answers.daemon.environment)
    #expect(report.status == .exited(1))
    #expect(report.errors == "coordinatorctl: timed out before the flow ended\n")
  }

  @Test("'coordinatorctl answer' continues after a killed daemon is back, and reads no secret twice")
  func answerContinuesAfterADaemonRestart() async throws {
    let pipe = answers.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let client = try await answers.daemon.client()
    let signals = try await client.signals(of: answers.daemon)
    let run = try answers.daemon.launch(
      "sh", "-c", "exec 3<>\"$0\"; exec \"$@\"", pipe, Built.executable("coordinatorctl"), "answer",
      answers.file(Self.account("{ fd: 3 }")), "--token", "mine")
    while try await client.managerProperty("Renderers") != .uint32(1) { try await signals.first("PropertiesChanged") }
    answers.daemon.program.signal(SIGKILL)
    _ = await answers.daemon.program.ended()
    let next = try await RunningDaemon.start(on: answers.daemon.bus)
    FileHandle(forWritingAtPath: pipe)?.write(Data("open-sesame\n".utf8))
    let report = await run.ended()
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output == "username: demo\n")
    _ = await next.stop()
  }

  @Test("A missing answer is asked for at a terminal, and the rest is played automatically")
  func missingAnswerIsAskedForAtATerminal() async throws {
    let file = try answers.file(Self.visit.replacing("    select-pain-level: little\n", with: ""))
    let terminals = try await Terminals.start(
      [[Built.executable("coordinatorctl"), "answer", file, "--missing", "ask"]], environment: answers.daemon.environment)
    try await terminals.pane(0, shows: "How much does it hurt?")
    terminals.type("1", in: 0)
    try await terminals.pane(0, shows: "pain: none")
  }
}
