import CrashTrial
import Testing

/// A short form of `make crash`, with a new seed each time, which a failed test prints as its argument.
@Suite("Rule 10: Kills under load", .timeLimit(.minutes(5)))
struct KillTests {
  @Test(
    "Rule 10: 20 kills under load lose nothing, repeat nothing, and leave every tree as its client knows it",
    arguments: [UInt64.random(in: 0..<1_000_000)])
  func twentyKillsUnderLoadLoseNothing(seed: UInt64) async throws {
    let figures = try await Self.trial(kills: 20, seed: seed, isEphemeral: false)
    #expect(figures.violations.isEmpty, "\(figures)")
    #expect(figures.kills == 20)
    #expect(figures.acknowledged > 0)
    #expect(figures.comparisons > 0)
  }

  @Test(
    "P6, P17: Kills of the daemon and of the process that serves its flows, in turn, lose nothing and repeat nothing",
    arguments: [UInt64.random(in: 0..<1_000_000)])
  func killsOfDaemonAndProvider(seed: UInt64) async throws {
    let figures = try await Self.trial(kills: 15, seed: seed, isEphemeral: false, hasProvider: true)
    #expect(figures.violations.isEmpty, "\(figures)")
    #expect(figures.kills == 15 && figures.providerKills > 0)
    #expect(figures.acknowledged > 0)
  }

  @Test("The crash trial detects a daemon that keeps nothing", arguments: [UInt64.random(in: 0..<1_000_000)])
  func crashTrialDetectsALossyDaemon(seed: UInt64) async throws {
    let figures = try await Self.trial(kills: 20, seed: seed, isEphemeral: true)
    #expect(figures.count(.lost) > 0, "\(figures)")
  }

  private static func trial(
    kills: Int, seed: UInt64, isEphemeral: Bool, hasProvider: Bool = false
  ) async throws -> Figures {
    var plan = try CrashTrial.Plan(
      executable: Built.executable("CrashDaemon"), hasWork: true, kills: kills, clients: 4, seed: seed,
      longest: .milliseconds(300),
      isEphemeral: isEphemeral)
    if hasProvider { plan.provider = try Built.executable("CrashProvider") }
    return try await CrashTrial(plan).run()
  }
}
