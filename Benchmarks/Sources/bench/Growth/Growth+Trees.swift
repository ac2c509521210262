import TestBus

extension Growth {
  /// Measures live flow trees side by side.
  func trees(_ lab: Lab) async throws -> Plot {
    let loader = try Loader(lab, .ours(lab, ["--ephemeral"] + Self.unlimited), on: try await Bus(lab))
    let process = try await loader.boot().process ?? 0
    try await loader.send("start 100")
    let empty = try ProcessMemory(of: process).anonymous
    var times: [(x: Double, y: Double)] = []
    var memory: [(x: Double, y: Double)] = []
    var started = 100
    for count in lab.isQuick ? [300, 3_000, 20_000] : [300, 1_000, 3_000, 10_000, 30_000, 100_000] {
      try await loader.send("start \(count - started)")
      started = count
      let used = Double(try ProcessMemory(of: process).anonymous - empty) * 1_024
      memory.append((Double(count), max(used, 1) / Double(count - 100)))
      times.append((Double(count), try await Self.event(lab, loader)))
    }
    return Plot(
      name: "trees", number: "live flow trees",
      curves: [
        Curve(title: "An event in one of them", unit: .time, points: times),
        Curve(title: "Memory of each", unit: .bytes, points: memory),
      ])
  }

  /// Measures nested coordinators in one tree.
  func depth(_ lab: Lab) async throws -> Plot {
    try await large(lab, "depth", "deep", lab.isQuick ? [1, 8, 63] : [1, 2, 4, 8, 16, 32, 63], "children within each other")
  }

  /// Measures coordinators side by side in one tree.
  func children(_ lab: Lab) async throws -> Plot {
    try await large(
      lab, "children", "wide", lab.isQuick ? [1, 30, 999] : [1, 3, 10, 30, 100, 300, 999], "children beside each other")
  }

  private func large(_ lab: Lab, _ name: String, _ command: String, _ sizes: [Int], _ number: String) async throws -> Plot {
    var times: [(x: Double, y: Double)] = []
    var memory: [(x: Double, y: Double)] = []
    for size in sizes {
      let loader = try Loader(lab, .ours(lab), on: try await Bus(lab))
      let process = try await loader.boot().process ?? 0
      try await loader.send("start 1")
      let before = try ProcessMemory(of: process).anonymous
      // Several trees, so that small ones can be distinguished from noise.
      for tree in 0..<max(1, 300 / size) {
        if tree > 0 { try await loader.send("start 1") }
        try await loader.send("\(command) \(size)")
      }
      let used = Double(try ProcessMemory(of: process).anonymous - before) * 1_024
      memory.append((Double(size), max(used, 1) / Double(max(1, 300 / size))))
      times.append((Double(size), try await Self.event(lab, loader)))
    }
    return Plot(
      name: name, number: number,
      curves: [
        Curve(title: "An event at the bottom", unit: .time, points: times),
        Curve(title: "Memory of the tree", unit: .bytes, points: memory),
      ])
  }

  /// Measures trees that a killed daemon has stored.
  func restarts(_ lab: Lab) async throws -> Plot {
    var names: [(x: Double, y: Double)] = []
    var lasts: [(x: Double, y: Double)] = []
    for count in lab.isQuick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000] {
      let state = try lab.directory("stored")
      let options = ["--state-dir", state, "--sync", "off"] + Self.unlimited
      let loader = try Loader(lab, .ours(lab, options), on: try await Bus(lab))
      _ = try await loader.boot()
      try await loader.send("start \(count)")
      try await loader.send("crash")
      var (name, last): ([Double], [Double]) = ([], [])
      for _ in 0..<lab.times(3, quick: 1) {
        name.append(try await loader.boot().total ?? 0)
        last.append((name.last ?? 0) + (try await loader.send("trips 1").total ?? 0))
        try await loader.send("crash")
      }
      names.append((Double(count), Figures.median(name)))
      lasts.append((Double(count), Figures.median(last)))
    }
    return Plot(
      name: "restart", number: "stored flow trees",
      curves: [
        Curve(title: "From exec to the name", unit: .time, points: names),
        Curve(title: "Until the last tree answers", unit: .time, points: lasts),
      ])
  }
}
