/// Compares coordinatord with the usual alternatives.
struct Peers: Measurement {
  static let name = "peers"
  static let title = "Delegate, nothing stored, one renderer attached; beside the same coordinator on other libraries"

  func run(_ lab: Lab) async throws -> [Row] {
    var rows: [Row] = []
    for peer in Peer.allCases {
      if let obstacle = await peer.obstacle(lab) {
        lab.say("  \(peer.title) is left out: \(obstacle)")
      } else {
        rows += try await measure(peer, lab)
      }
    }
    return rows
  }

  private func measure(_ peer: Peer, _ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let pair = try await Pair.turning(lab, peer.subject(lab, bus), on: bus)
    try await pair.compare(lab)
    let turns = lab.times(20, quick: 6)
    let count = peer == .gdbus ? lab.times(6_400, quick: 3_200) : lab.times(1_280, quick: 640)
    try await pair.both("trips 200")
    try await pair.both("flight 64 640")
    let trips = try await pair.alternate(turns, "trips 200")
    let (flights, spent) = try await pair.metered { try await pair.alternate(turns, "flight 64 \(count)") }
    return [
      .times("one at a time, median; \(peer.title)", trips, \.median, peer == .gdbus ? .atMost(1.2) : nil),
      .rates("64 in flight over 64 trees; \(peer.title)", flights, .atLeast(peer == .gdbus ? 1 / 1.2 : 5)),
      .processorTimes("processor time of each of these; \(peer.title)", spent, flights),
    ]
  }
}
