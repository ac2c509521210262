import Testing

@testable import CoordinatorScripts

/// The responsibility for the end of a process that several runs shared.
@Suite("The end of a process that several runs had", .timeLimit(.minutes(1)))
struct HostBlameTests {
  @Test("It is charged to the only run that was executed")
  func onlyOne() {
    let blame = HostBlame(executing: [7], isKilled: false, hadOthers: true)
    #expect(blame.charged == 7 && blame.suspects == [7])
  }

  @Test("A death is charged to no script if several were executed, or none: the former are suspects")
  func severalOrNone() {
    let several = HostBlame(executing: [7, 8], isKilled: false, hadOthers: true)
    #expect(several.charged == nil && several.suspects == [7, 8])
    let none = HostBlame(executing: [], isKilled: false, hadOthers: true)
    #expect(none.charged == nil && none.suspects.isEmpty)
  }

  @Test("A process that was killed may have had too much memory for others: only a run that was alone is charged")
  func killed() {
    #expect(HostBlame(executing: [7], isKilled: true, hadOthers: true).charged == nil)
    #expect(HostBlame(executing: [7], isKilled: true, hadOthers: true).suspects == [7])
    #expect(HostBlame(executing: [7], isKilled: true, hadOthers: false).charged == 7)
  }

  @Test("The wait after processes that have ended without a cause begins with the second, doubles, and has a limit")
  func pauses() {
    let pauses = (0...12).map(RunPauses.pause(after:))
    #expect(pauses[0] == .zero && pauses[1] == .zero && pauses[2] == .milliseconds(250) && pauses[3] == .milliseconds(500))
    #expect(pauses[12] == .seconds(10))
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
