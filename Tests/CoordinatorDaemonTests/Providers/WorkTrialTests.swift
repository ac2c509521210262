import CoordinatorKit
import Testing

@testable import CoordinatorDaemon

@Suite("P12: Deaths of providers over work", .timeLimit(.minutes(1)))
struct WorkTrialTests {
  private static let program = ServingProgram(name: "com.example.Menu", version: 1, digest: "first")

  /// Begins work whose provider dies.
  ///
  /// - Returns: whether the daemon begins it again.
  private func isBegunAgain(
    _ trial: inout WorkTrial, after time: Duration = .zero, wasOnly: Bool = false, by program: ServingProgram = program
  ) -> Bool {
    trial.begin(at: program)
    return trial.dies(after: time, wasOnly: wasOnly)
  }

  @Test("The first death does not count, the work is alone from then on, and the third death that counts is the last")
  func deaths() {
    var trial = WorkTrial()
    #expect(!trial.isAlone)
    let answers = (0..<4).map { _ in
      let isBegunAgain = isBegunAgain(&trial)
      return isBegunAgain && trial.isAlone
    }
    #expect(answers == [true, true, true, false])
  }

  @Test("A death that comes late counts only if nothing else was performed")
  func late() {
    var (beside, only) = (WorkTrial(), WorkTrial())
    let answers = (0..<20).map { _ in isBegunAgain(&beside, after: .seconds(30)) }
    #expect(!answers.contains(false))
    let last = (0..<4).map { _ in isBegunAgain(&only, after: .seconds(30), wasOnly: true) }
    #expect(last == [true, true, true, false])
  }

  @Test("Work that has gone on for long is not what its provider dies over, nor what it has left, or another has replaced")
  func innocent() {
    var (old, moved) = (WorkTrial(), WorkTrial())
    for _ in 0..<3 { _ = isBegunAgain(&old) }
    let isInnocent = isBegunAgain(&old, after: .seconds(600), wasOnly: true)
    #expect(isInnocent && !old.isAlone)
    for _ in 0..<20 {
      moved.begin(at: Self.program)
      moved.goesOn()
    }
    #expect(!moved.isAlone)
  }

  @Test("A program that was changed is given the work anew")
  func changed() {
    var trial = WorkTrial()
    for _ in 0..<3 { _ = isBegunAgain(&trial) }
    let isBegunAgain = isBegunAgain(&trial, by: ServingProgram(name: Self.program.name, version: 1, digest: "second"))
    #expect(isBegunAgain)
  }
}
