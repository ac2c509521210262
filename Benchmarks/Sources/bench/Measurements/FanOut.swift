/// Measures one transition that many renderers receive.
struct FanOut: Measurement {
  static let name = "fan-out"
  static let title = "One Delegate, until the last renderer has its Settled"

  func run(_ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let pair = Pair(ours: try await .boot(lab, .ours(lab), on: bus), other: try await .boot(lab, .bare(lab, bus), on: bus))
    var rows: [Row] = []
    for count in [1, 10, 100] {
      let times = lab.times(count == 100 ? 100 : 500, quick: count == 100 ? 40 : 200)
      _ = try await pair.alternate(1, "fan \(count) \(times)")
      let answers = try await pair.alternate(lab.times(21, quick: 7), "fan \(count) \(times)")
      rows.append(.times("\(count) renderer\(count == 1 ? "" : "s")", answers, \.median, .atMost(1.05)))
    }
    return rows
  }
}
