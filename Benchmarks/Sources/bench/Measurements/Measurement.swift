/// A measurement.
protocol Measurement: Sendable {
  /// The name on the command line.
  static var name: String { get }
  /// The heading of its rows.
  static var title: String { get }

  init()
  func run(_ lab: Lab) async throws -> [Row]
}

/// Two daemons on one bus that take turns.
struct Pair: Sendable {
  let ours: Loader
  let other: Loader

  /// Lets both daemons perform a command several times, taking turns; the one that begins alternates.
  ///
  /// - Returns: the answers of each, in the order of the turns.
  func alternate(_ turns: Int, _ command: String) async throws -> (ours: [Answer], other: [Answer]) {
    var answers: (ours: [Answer], other: [Answer]) = ([], [])
    for turn in 0..<turns {
      if turn.isMultiple(of: 2) {
        answers.ours.append(try await ours.send(command))
        answers.other.append(try await other.send(command))
      } else {
        answers.other.append(try await other.send(command))
        answers.ours.append(try await ours.send(command))
      }
    }
    return answers
  }

  /// Performs an operation with both daemons.
  ///
  /// - Returns: the result, and the processor time that each daemon spent meanwhile, in nanoseconds.
  func metered<Result>(_ body: () async throws -> Result) async throws -> (result: Result, spent: (ours: Double, other: Double)) {
    let before = try await alternate(1, "processor")
    let result = try await body()
    let after = try await alternate(1, "processor")
    func spent(_ before: [Answer], _ after: [Answer]) -> Double { (after.first?.total ?? 0) - (before.first?.total ?? 0) }
    return (result, (spent(before.ours, after.ours), spent(before.other, after.other)))
  }

  /// Lets both daemons perform a command.
  func both(_ command: String) async throws {
    try await ours.send(command)
    try await other.send(command)
  }
}

extension Row {
  /// Compares times: the medians of both, and the median of the ratios of the pairs.
  static func times(
    _ what: String, _ answers: (ours: [Answer], other: [Answer]), _ time: (Answer) -> Double?, _ target: Target?
  ) -> Row {
    let ours = answers.ours.compactMap(time)
    let other = answers.other.compactMap(time)
    return Row(
      what: what, ours: Figures.time(Figures.median(ours)), other: Figures.time(Figures.median(other)),
      figure: Figures.median(zip(ours, other).map { $0 / $1 }), target: target)
  }

  /// Compares throughputs.
  static func rates(_ what: String, _ answers: (ours: [Answer], other: [Answer]), _ target: Target?) -> Row {
    let count = answers.ours.first?.count ?? 0
    let ours = answers.ours.compactMap(\.total)
    let other = answers.other.compactMap(\.total)
    return Row(
      what: what, ours: Figures.rate(count, in: Figures.median(ours)), other: Figures.rate(count, in: Figures.median(other)),
      figure: Figures.median(zip(ours, other).map { $1 / $0 }), target: target)
  }

  /// Compares the processor time that the daemons spend on each operation, without that of the bus and the client.
  static func processorTimes(
    _ what: String, _ spent: (ours: Double, other: Double), _ done: (ours: [Answer], other: [Answer])
  ) -> Row {
    let ours = spent.ours / Double(done.ours.compactMap(\.count).reduce(0, +))
    let other = spent.other / Double(done.other.compactMap(\.count).reduce(0, +))
    return Row(what: what, ours: Figures.time(ours), other: Figures.time(other), figure: ours / other)
  }
}
