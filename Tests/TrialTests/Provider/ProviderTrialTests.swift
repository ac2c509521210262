import Foundation
import Glibc
import TestBus
import Testing
import provider_trial

@Suite("The provider trial", .timeLimit(.minutes(5)))
struct ProviderTrialTests {
  @Test("A provider without mistakes passes every check, and all kinds of events come up in earnest")
  func goodProviderPasses() async throws {
    let program = try BuiltProgram.path("FaultyProvider")
    let options = TrialOptions(command: [program, "none", "2"], oldCommand: [program, "none", "1"], maxStates: 40)
    let report = try await ProviderTrial(options).run()
    #expect(report.findings.map(\.description) == [])
    #expect(report.isPassed)
    // The provider has no name.
    #expect(Check.allCases.filter { report.tried[$0] ?? 0 == 0 } == [.ownsName])
    #expect(report.notTried.contains { $0.hasSuffix("did not meet them: message") })
  }

  @Test("A finding names its rule, the flow, the event and the turn, and says what to do")
  func findingIsASentence() async throws {
    let command = [try BuiltProgram.path("FaultyProvider"), "refuses-timer"]
    let report = try await ProviderTrial(TrialOptions(command: command, maxStates: 12, passes: [])).run()
    let line = try #require(report.lines.first { $0.hasPrefix("P9: ") })
    #expect(line.hasPrefix("P9: sign-in, timer bell, turn "))
    #expect(
      line.hasSuffix(
        ": it refused the event: not now. Nobody waits for this event, and no parent takes it: answer it with a state."))
    #expect(report.lines.last == "The provider failed in 1 respect.")
  }

  @Test("The same seed finds the same, and the state space does not depend on it")
  func sameSeedSameWalk() async throws {
    let command = [try BuiltProgram.path("FaultyProvider"), "none"]
    let options = TrialOptions(command: command, seed: 7, maxStates: 12, passes: [.anyOrder])
    let (one, two) = (try await ProviderTrial(options).run(), try await ProviderTrial(options).run())
    #expect(one.walks == two.walks && one.kinds == two.kinds && one.tried == two.tried)
  }

  @Test("A flow that is not served, and a missing command, are mistakes in the arguments")
  func usageErrors() async throws {
    let (trial, provider) = (try BuiltProgram.path("provider-trial"), try BuiltProgram.path("FaultyProvider"))
    let unknown = try await Program.run([trial, "--flow", "sign-out", "--", provider])
    #expect(unknown.status == .exited(64))
    #expect(unknown.errors.contains("the provider does not serve 'sign-out', but sign-in"))
    #expect(try await Program.run([trial]).status == .exited(64))
  }

  @Test("A program that does not serve is reported with what it printed")
  func programThatDoesNotServe() async throws {
    let report = try await ProviderTrial(TrialOptions(command: ["sh", "-c", "echo 'no radio' >&2; exit 3"])).run()
    #expect(
      report.findings.map(\.description) == [
        """
        P2: the provider ended before it called RegisterFlows, and printed: no radio. Call RegisterFlows of \
        org.coordinatord.Coordinator1 as its interface describes.
        """
      ])
  }

  @Test("'provider-trial --json' prints one object, and exits with 1 if there are findings")
  func jsonReport() async throws {
    let (trial, provider) = (try BuiltProgram.path("provider-trial"), try BuiltProgram.path("FaultyProvider"))
    let run = try await Program.run(
      [trial, "--json", "--quiet", "--states", "8", "--only", "any-order", "--", provider, "dead-end"], limit: .seconds(120))
    #expect(run.status == .exited(1))
    let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(report["passed"] as? Bool == false)
    #expect((report["findings"] as? [[String: Any]])?.first?["check"] as? String == "flowIsWhole")
  }

  @Test("Ctrl-C ends the trial with what it has found so far, and leaves no provider behind")
  func interruption() async throws {
    let (trial, provider) = (try BuiltProgram.path("provider-trial"), try BuiltProgram.path("FaultyProvider"))
    let program = try Program([trial, "--seed", "1", "--", provider])
    try await program.says("walking through sign-in")
    program.signal(SIGINT)
    let report = await program.ended()
    #expect(report.status == .exited(130))
    #expect(report.output.contains("The trial did not come to its end."))
  }

  @Test(
    "The providers in Python pass: the examples, and one with all that a flow can do",
    arguments: [
      "Python/examples/schedule_visit.py", "Python/examples/join_network.py", "Python/tests/hub.py",
    ])
  func pythonProvidersPass(_ example: String) async throws {
    let checkout = BuiltProgram.checkout
    let python = checkout.appending(path: ".build-python/bin/python").path
    // `make python` creates it.
    guard FileManager.default.isExecutableFile(atPath: python) else { return }
    let script = checkout.appending(path: example)
    let sources = checkout.appending(path: "Python/src").path
    let options = TrialOptions(command: ["env", "PYTHONPATH=\(sources)", python, script.path], maxStates: 24)
    let report = try await ProviderTrial(options).run()
    #expect(report.findings.map(\.description) == [])
    #expect(report.isPassed)
  }
}
