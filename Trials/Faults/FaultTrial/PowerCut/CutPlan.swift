import TestBus

/// The moments of power cuts, and the data that is lost in each.
struct CutPlan: Sendable {
  /// A power cut.
  struct Cut: Sendable, Hashable {
    /// The number of the cut, in the order in which cuts were chosen.
    var number: Int
    /// The number of the newest record before the cut.
    var position: UInt64
    /// How the cut treats data that is not synced.
    var loss: DiskModel.Loss
    /// The seed of the random choices of lost data.
    var seed: UInt64
  }

  /// Chooses cuts and returns them in the order of their moments: a third right after an acknowledgement, a third right before
  /// or after a sync, and the others at any moment.
  ///
  /// - Parameters:
  ///   - count: the number of cuts.
  ///   - seed: the seed of the random choices.
  ///   - acknowledged: the numbers of the newest records at acknowledgements.
  ///   - synced: the numbers of the records of syncs.
  ///   - last: the number of the last record.
  /// - Returns: the cuts.
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
