import Foundation
import TestBus
import Testing

@Suite("coordinatorctl record", .timeLimit(.minutes(5)))
struct RecordTests {
  private let answers: Answers

  init() async throws { answers = try await Answers() }

  private func written(_ name: String = "recorded.yaml") throws -> String {
    try String(contentsOfFile: answers.path(name), encoding: .utf8)
  }

  @Test("'coordinatorctl record' writes the answers that led to the end, and playing them leads there again")
  func recordedAnswersReplayTheVisit() async throws {
    let recorded = try await answers.control(
      ["record", "schedule-visit", "-o", answers.path("recorded.yaml")], input: "2\n5\nb\n2\n1\n")
    #expect(recorded.status == .exited(0), "\(recorded)")
    #expect(recorded.output.isEmpty)
    #expect(
      try written() == """
        # The answers to schedule-visit, until it finished. Play them with: coordinatorctl answer FILE
        flow: schedule-visit
        answers:
          schedule-visit:
            select-visit-type: sick
            select-pain-level: little
            faking-it: is-fake

        """)
    let mode = try FileManager.default.attributesOfItem(atPath: answers.path("recorded.yaml"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let played = try await answers.control(["answer", answers.path("recorded.yaml"), "--strict"])
    #expect(played.status == .exited(0), "\(played)")
    #expect(played.output == "faked: true\npain: little\nvisit: sick\n")
  }

  @Test("A recorded file contains no secret, only a reference to where to read it")
  func recordedFileRefersToSecrets() async throws {
    let recorded = try await answers.control(["record", "account"], input: "wrong\nwrong-sesame\ndemo\nopen-sesame\n2\n")
    #expect(recorded.status == .exited(0), "\(recorded)")
    #expect(
      recorded.output == """
        # The answers to account, until it finished. Play them with: coordinatorctl answer FILE
        # It requires the credential log-in.password, a file in $CREDENTIALS_DIRECTORY; or write { fd: 3 } instead.
        flow: account
        answers:
          account:
            log-in:
              password: { credential: "log-in.password" }
              username: demo
            user-profile: done

        """)
    #expect(!(recorded.output + recorded.errors).contains("sesame"))
    _ = try answers.file("open-sesame\n", "log-in.password")
    let played = try await answers.play(
      recorded.output, "--strict", environment: ["CREDENTIALS_DIRECTORY": answers.daemon.bus.directory])
    #expect(played.status == .exited(0), "\(played)")
    #expect(played.output == "username: demo\n")
  }

  @Test(
    "Playing recorded answers leads to the same outcome and result",
    arguments: [
      (["shop"], "1\n1\n1\nb\n1\n1\n2\n4\n"), (["kanji"], "1\n1\nb\nb\n2\nb\nb\ny\n"),
      (["kanji-list", "word=日本人"], "2\nb\nb\ny\n"), (["quotes"], "1\nb\n11\n\n2\nb\nb\ny\n"),
      (["how-to-code"], "\nb\n\n\n\n\n\n"),
    ])
  func recordedAnswersLeadToTheSameOutcome(arguments: [String], input: String) async throws {
    let recorded = try await answers.control(["record"] + arguments, input: input)
    let played = try await answers.play(recorded.output, "--strict")
    #expect([.exited(0), .exited(3)].contains(recorded.status), "\(recorded)")
    #expect(played.status == recorded.status, "\(recorded) \(played)")
    // The recorder, which users call, prints titles where a script prints names.
    let told = recorded.errors.split(separator: "\n").drop { !$0.hasPrefix("The flow ") }
    let lines = told.first == "The flow has finished." ? Array(told.dropFirst()) : Array(told)
    func values(_ lines: [Substring]) -> [String?] { lines.map { $0.components(separatedBy: ": ").last } }
    #expect(values(lines) == values(played.output.split(separator: "\n")), "\(recorded) \(played)")
  }

  @Test("'coordinatorctl record --follow' records the answers of other clients, and notes what it missed")
  func followRecordsTheAnswersOfOthers() async throws {
    let pets = try await Flow.start("pets", answers.daemon.client())
    let signals = try await pets.daemon.signals(of: answers.daemon)
    let recorder = try answers.daemon.launch(
      Built.executable("coordinatorctl"), "record", "pets_1", "--follow", "-o", answers.path("followed.yaml"))
    while try await renderers(of: pets) == 0 { try await signals.first("PropertiesChanged") }
    try await pets.send("schedule-visit")
    try await pets.send("well")
    try await pets.send("okay")
    _ = try await pets.coordinator.dismiss()
    #expect(await recorder.ended().status == .exited(3))
    #expect(
      try written("followed.yaml") == """
        # The answers to pets, until it was cancelled. Play them with: coordinatorctl answer FILE
        # Answers given before the recording began are missing.
        flow: pets
        answers:
          pets:
            home: schedule-visit
          schedule-visit:
            select-visit-type: well
            no-appointment-required: okay

        """)
  }

  private func renderers(of flow: Flow) async throws -> Int {
    guard case .uint32(let count) = try await flow.daemon.managerProperty("Renderers") else { return 0 }
    return Int(count)
  }
}
