import TestBus

/// When to cut the power, and what is lost then.
struct CutPlan: Sendable {
  /// A power cut.
  struct Cut: Sendable, Hashable {
    /// Which one it is, in the order in which they were chosen.
    var number: Int
    /// The newest record that was done.
    var position: UInt64
    /// How what is not synced is treated.
    var loss: DiskModel.Loss
    /// Where the randomness of that begins.
    var seed: UInt64
  }

  /// Cuts, by their moments: a third of them as soon as something was acknowledged, a third before or after something was synced, and the
  /// others at any moment.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - seed: Where the randomness begins.
  ///   - acknowledged: The newest records when something was acknowledged.
  ///   - synced: The records of syncs.
  ///   - last: The last record.
  /// - Returns: The cuts.
  static func cuts(_ count: Int, seed: UInt64, acknowledged: [UInt64], synced: [UInt64], last: UInt64) -> [Cut] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let any = UInt64.random(in: 0...last, using: &generator)
      let position =
        switch number % 3 {
        case 0: acknowledged.randomElement(using: &generator) ?? any
        case 1: synced.randomElement(using: &generator).map { Bool.random(using: &generator) ? $0 : $0 - 1 } ?? any
        default: any
        }
      let loss = DiskModel.Loss.allCases.randomElement(using: &generator) ?? .everything
      return Cut(number: number, position: position, loss: loss, seed: generator.next())
    }
    .sorted { ($0.position, $0.number) < ($1.position, $1.number) }
  }
}
