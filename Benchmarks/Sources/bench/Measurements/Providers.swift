import TestBus

/// Measures the flow of the benchmarks when another process serves it.
struct Providers: Measurement {
  static let name = "providers"
  static let title = "Delegate of a flow that another process serves"

  func run(_ lab: Lab) async throws -> [Row] {
    var rows: [Row] = []
    for (title, options) in [("nothing stored", ["--ephemeral"]), ("stored", [String]())] {
      let builtIn = try await ServedFlow(lab, options, by: nil)
      let swift = try await ServedFlow(lab, options, by: [lab.program("bench-provider")])
      rows.append(try await compare(lab, swift, "Swift", with: builtIn, title, .atMost(1.25)))
      guard let python = await ServedFlow.python(lab) else { continue }
      let served = try await ServedFlow(lab, options, by: python)
      rows.append(try await compare(lab, served, "Python", with: builtIn, title, nil))
    }
    rows.append(try await neighbours(lab))
    rows.append(try await memory(lab))
    return rows
  }

  /// Compares a flow of another process with a built-in flow, and with one bare call of the same process.
  private func compare(
    _ lab: Lab, _ provided: ServedFlow, _ language: String, with builtIn: ServedFlow, _ title: String, _ target: Row.Target?
  ) async throws -> Row {
    var (ratios, times, others): ([Double], [Double], [Double]) = ([], [], [])
    for turn in 0...lab.times(30, quick: 8) {
      let alone = try await builtIn.loader.send("trips 500").median ?? 0
      let trip = try await provided.loader.send("trips 500").median ?? 0
      let ping = try await provided.loader.send("pings \(ServedFlow.name) 500").median ?? 0
      // The first turn warms up.
      guard turn > 0 else { continue }
      times.append(trip)
      others.append(alone + ping)
      ratios.append(trip / (alone + ping))
    }
    return Row(
      what: "\(language) provider, \(title), beside the flow built in and one bare call of the provider",
      ours: Figures.time(Figures.median(times)), other: Figures.time(Figures.median(others)), figure: Figures.median(ratios),
      target: target)
  }

  /// Measures a built-in flow while a provider takes five seconds for each decision in sixteen trees.
  private func neighbours(_ lab: Lab) async throws -> Row {
    let alone = try await ServedFlow(lab, ["--ephemeral"], by: nil)
    let disturbed = try await ServedFlow(lab, ["--ephemeral"], by: nil)
    let slow = try disturbed.start([lab.program("bench-provider")], ["SLOW": "1"])
    try await disturbed.startFlows(16, named: "slow")
    let trips = try await Pair(ours: disturbed.loader, other: alone.loader).alternate(lab.times(40, quick: 10), "trips 1000")
    slow.signal(9)
    return .times(
      "99th percentile of a built-in flow while a provider takes 5 s for each decision in 16 trees, beside without", trips,
      \.p99, .atMost(1.1))
  }

  private func memory(_ lab: Lab) async throws -> Row {
    let count = lab.isQuick ? 2_000 : 10_000
    let limits = ["--ephemeral", "--max-flows", "20000", "--max-flows-per-client", "20000"]
    let served = try await ServedFlow(lab, limits, by: [lab.program("bench-provider")])
    try await served.loader.send("start 100")
    let process = served.process
    let before = try ProcessMemory(of: process).anonymous
    try await served.loader.send("start \(count)")
    let each = Double(try ProcessMemory(of: process).anonymous - before) / Double(count)
    return Row(
      what: "memory of an idle tree of a provider with one screen, of \(count)", ours: "\(Int((each * 1_024).rounded())) B",
      figure: each, unit: "KiB", target: .atMost(6))
  }
}
