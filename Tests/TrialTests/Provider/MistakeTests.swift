import Foundation
import TestBus
import Testing
import provider_trial

@Suite("Mistakes of providers", .timeLimit(.minutes(5)))
struct MistakeTests {
  /// A mistake of the test's provider, and the check that finds it.
  struct Case: Sendable, CustomTestStringConvertible {
    let mistake: String
    let check: Check
    let passes: Set<TrialPass>

    init(_ mistake: String, _ check: Check, _ passes: TrialPass...) {
      (self.mistake, self.check, self.passes) = (mistake, check, Set(passes))
    }

    var testDescription: String { "\(mistake): \(check.rawValue)" }
  }

  static let cases: [Case] = [
    Case("bad-flow", .registers), Case("foreign-name", .ownsName), Case("registers-once", .registersAgain, .daemon),
    Case("registers-after-release", .releases, .release), Case("answers-strangers", .refusesStrangers, .strangers),
    Case("keeps-lock", .comesBack, .fresh),
    Case("random-state", .sameTurn), Case("remembers-state", .anyOrder, .anyOrder),
    Case("remembers-state", .droppedAnswer, .droppedAnswers), Case("process-id", .freshProcess, .fresh),
    Case("process-id", .freshProcess, .kill), Case("shared-variable", .sideBySide, .sideBySide),
    Case("starts-flow", .noEffects), Case("unknown-operation", .answerIsValid),
    Case("dismisses-hidden", .answerIsPossible), Case("undescribed-screen", .screenIsDescribed),
    Case("other-error", .errorIsKnown), Case("refuses-timer", .refusalIsAwaited),
    Case("refuses-failed-child", .errorIsKnown), Case("takes-everything", .leavesUnknownEvents, .surprises),
    Case("never-answers", .answersInTime), Case("exits-on-surprise", .survives, .surprises),
    Case("exits-after-pause", .survivesPause, .pause), Case("seconds-timer", .timeIsReal),
    Case("dead-end", .flowIsWhole),
    Case("slow-perform", .acceptsWorkAtOnce, .work), Case("refuses-running-work", .acceptsWorkAgain, .work),
    Case("starts-work-twice", .startsWorkOnce, .work), Case("never-ends-work", .endsWork, .work),
    Case("ends-foreign-work", .endsOnlyItsWork, .work), Case("sends-result-once", .repeatsResult, .work),
    Case("result-without-value", .resultIsValid, .work), Case("same-work-id", .workIdIsNew),
    Case("ignores-cancel", .stopsCancelledWork, .work), Case("forgets-results", .worksAfterDaemonRestart, .work),
    Case("refuses-second-attempt", .worksAfterOwnRestart, .work),
    Case("secret-in-result", .hidesSecrets, .work), Case("prints-secret", .printsNoSecrets),
    Case("unknown-secret", .namesHeldSecrets), Case("fails-without-secrets", .takesLostSecrets, .secrets),
  ]

  @Test("A trial finds each mistake of a provider by the check that is made for it", arguments: cases)
  func mistakeIsFound(_ mistake: Case) async throws {
    let lock = FileManager.default.temporaryDirectory.appending(path: "faulty-provider-\(UUID()).lock")
    defer { try? FileManager.default.removeItem(at: lock) }
    let command = [try BuiltProgram.path("FaultyProvider"), mistake.mistake, "1", lock.path]
    let options = TrialOptions(command: command, maxStates: 20, patience: .seconds(2), passes: mistake.passes)
    let report = try await ProviderTrial(options).run()
    #expect(report.isComplete && !report.isPassed)
    #expect(report.findings.contains { $0.check == mistake.check }, "\(report.lines.joined(separator: "\n"))")
  }

  @Test("A provider that cannot migrate the states of an older version is found")
  func failedMigrationIsFound() async throws {
    let program = try BuiltProgram.path("FaultyProvider")
    for (mistake, isFound) in [("fails-to-migrate", true), ("none", false)] {
      let options = TrialOptions(
        command: [program, mistake, "2"], oldCommand: [program, "none", "1"], maxStates: 12, patience: .seconds(5),
        passes: [.upgrade])
      let report = try await ProviderTrial(options).run()
      #expect(report.findings.contains { $0.check == .migrates } == isFound, "\(report.lines.joined(separator: "\n"))")
      #expect(report.tried[.migrates] ?? 0 > 0)
    }
  }

  @Test("There is a mistake for every check, since a check that never fails is worth nothing")
  func everyCheckCanFail() {
    let found = Set(Self.cases.map(\.check)).union([.migrates])
    #expect(Check.allCases.filter { !found.contains($0) } == [])
  }
}
