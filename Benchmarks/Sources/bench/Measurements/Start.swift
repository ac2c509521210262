/// Measures the time from the start of a process to its first answer.
struct Start: Measurement {
  static let name = "start"
  static let title = "Start"

  func run(_ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let times = lab.times(21, quick: 5)
    let empty = try await times.repeated {
      let loader = try Loader(lab, .ours(lab, ["--state-dir", try lab.directory("empty")]), on: bus)
      return try await loader.bootAndHalt()
    }
    let bare = try await times.repeated { try await Loader(lab, .bare(lab, bus), on: bus).bootAndHalt() }
    var rows = [
      Row(
        what: "from exec to the name, nothing stored; beside bare C", ours: Figures.time(Figures.median(empty)),
        other: Figures.time(Figures.median(bare)), figure: Figures.median(empty) / 1e6, unit: "ms", target: .atMost(10))
    ]
    rows += try await restart(lab, bus, times: lab.times(7, quick: 2))
    rows.append(try await activation(lab, times: times))
    return rows
  }

  /// Measures the restart of a daemon that was killed while it had many flow trees.
  private func restart(_ lab: Lab, _ bus: Bus, times: Int) async throws -> [Row] {
    let state = try lab.directory("full")
    let loader = try Loader(lab, .ours(lab, ["--state-dir", state, "--sync", "off"]), on: bus)
    _ = try await loader.boot()
    try await loader.send("start 10000")
    try await loader.send("kill")
    var names: [Double] = []
    var lasts: [Double] = []
    for _ in 0..<times {
      let name = try await loader.boot().total ?? 0
      names.append(name)
      lasts.append(name + (try await loader.send("active 10000").total ?? 0))
      try await loader.send("kill")
    }
    return [
      Row(
        what: "the same with 10 000 stored trees", ours: Figures.time(Figures.median(names)), figure: Figures.median(names) / 1e6,
        unit: "ms", target: .atMost(60)),
      Row(
        what: "until the last of them is back", ours: Figures.time(Figures.median(lasts)), figure: Figures.median(lasts) / 1e9,
        unit: "s", target: .atMost(1)),
    ]
  }

  /// Measures a daemon that the bus starts when a client calls it.
  private func activation(_ lab: Lab, times: Int) async throws -> Row {
    let subjects = (ours: Subject.ours(lab), bare: Subject.bare(lab, nil))
    let bus = try await Bus(lab, activations: [subjects.ours, subjects.bare])
    let pair = Pair(ours: try Loader(lab, subjects.ours, on: bus), other: try Loader(lab, subjects.bare, on: bus))
    var answers: (ours: [Answer], other: [Answer]) = ([], [])
    for _ in 0..<times {
      answers.ours.append(try await pair.ours.send("activate"))
      answers.other.append(try await pair.other.send("activate"))
      try await pair.both("evict")
    }
    return .times("first call, through D-Bus activation; beside bare C", answers, \.total, .atMost(2))
  }
}

extension Int {
  /// Returns the results of performing an operation this number of times.
  fileprivate func repeated<Element>(_ body: () async throws -> Element) async rethrows -> [Element] {
    var all: [Element] = []
    for _ in 0..<self { all.append(try await body()) }
    return all
  }
}

extension Loader {
  /// Starts the daemon and ends it.
  ///
  /// - Returns: how long it took until it owned its name, in nanoseconds.
  fileprivate func bootAndHalt() async throws -> Double {
    let answer = try await boot()
    try await send("halt")
    return answer.total ?? 0
  }
}
