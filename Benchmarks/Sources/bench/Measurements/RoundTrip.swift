/// Measures calls without storage: one after the other, and 64 at once.
struct RoundTrip: Measurement {
  static let name = "calls"
  static let title = "Delegate, nothing stored, one renderer attached"

  func run(_ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let pair = try await Pair.turning(lab, .bare(lab, bus), on: bus)
    try await pair.compare(lab)
    let turns = lab.times(40, quick: 12)
    try await pair.both("trips 2000")
    let trips = try await pair.alternate(turns, "trips 1000")
    let (flights, spent) = try await pair.metered { try await pair.alternate(turns, "flight 64 6400") }
    return [
      .times("one at a time, median", trips, \.median, .atMost(1.10)),
      .times("one at a time, 99th percentile", trips, \.p99, .atMost(1.25)),
      .rates("64 in flight over 64 trees", flights, .atLeast(0.90)),
      .processorTimes("processor time of the daemon for each of these", spent, flights),
    ]
  }
}

extension Pair {
  /// Starts coordinatord and another daemon, each with 64 flow trees.
  static func turning(_ lab: Lab, _ other: Subject, on bus: Bus) async throws -> Pair {
    let pair = Pair(ours: try await .boot(lab, .ours(lab), on: bus), other: try await .boot(lab, other, on: bus))
    try await pair.both("start 64")
    try await pair.both("attach 64")
    return pair
  }

  /// Checks that both send as much, because they would not be comparable otherwise.
  func compare(_ lab: Lab) async throws {
    let ours = try await ours.send("weigh")
    let other = try await other.send("weigh")
    lab.say(
      "  a Delegate sends \(ours.messages ?? 0) messages of \(ours.bytes ?? 0) bytes in all; \(self.other.subject.title): "
        + "\(other.messages ?? 0) of \(other.bytes ?? 0)")
    guard let bytes = ours.bytes.map(Double.init), let others = other.bytes.map(Double.init), ours.messages == other.messages,
      abs(bytes - others) <= others * 0.02
    else { throw Unlike(ours: ours, other: other) }
  }

  /// The daemons send different messages.
  struct Unlike: Error {
    let ours: Answer
    let other: Answer
  }
}
