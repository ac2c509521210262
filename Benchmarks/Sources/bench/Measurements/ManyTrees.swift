import TestBus

/// Measures one active flow tree among many live ones.
struct ManyTrees: Measurement {
  static let name = "trees"
  static let title = "Many live flow trees"

  func run(_ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let limit = ["--ephemeral", "--max-flows", "200000", "--max-flows-per-client", "200000"]
    let few = try await Loader.boot(lab, .ours(lab, limit), on: bus)
    try await few.send("start 1")
    try await few.send("attach 1")
    var rows: [Row] = []
    for count in lab.isQuick ? [1_000, 20_000] : [1_000, 100_000] {
      // On a separate bus, because the name is the same.
      let manyBus = try await Bus(lab)
      let many = try Loader(lab, .ours(lab, limit), on: manyBus)
      let process = try await many.boot().process ?? 0
      try await many.send("start 100")
      let before = try ProcessMemory(of: process).anonymous
      try await many.send("start \(count - 101)")
      try await many.send("start 1")
      try await many.send("attach 1")
      let after = try ProcessMemory(of: process).anonymous
      let pair = Pair(ours: many, other: few)
      try await pair.both("trips 1000")
      let trips = try await pair.alternate(lab.times(20, quick: 8), "trips 1000")
      rows.append(.times("one of \(count) trees, beside the only one: median", trips, \.median, .atMost(1.10)))
      let each = Double(after - before) / Double(count - 100)
      rows.append(
        Row(
          what: "memory of an idle tree with one screen, of \(count)", ours: "\(Int((each * 1_024).rounded())) B", figure: each,
          unit: "KiB", target: .atMost(4)))
    }
    return rows
  }
}
