import TestBus

/// A million live flow trees: start, one event, restart. Not part of a whole run, because it takes half an hour and three
/// gigabytes of memory.
struct Million: Measurement {
  static let name = "million"
  static let title = "A million live flow trees, stored"
  private static let count = 1_000_000

  func run(_ lab: Lab) async throws -> [Row] {
    let count = lab.isQuick ? 100_000 : Self.count
    let options = ["--state-dir", try lab.directory("million"), "--sync", "off"] + Growth.unlimited
    let loader = try Loader(lab, .ours(lab, options), on: try await Bus(lab))
    var process = try await loader.boot().process ?? 0
    let started = try await loader.send("start \(count)").total ?? 0
    lab.say("  started")
    let event = try await loader.send("trips 200").median ?? 0
    let memory = try ProcessMemory(of: process)
    try await loader.send("crash")
    let boot = try await loader.boot()
    process = boot.process ?? 0
    let back = (boot.total ?? 0) + (try await loader.send("trips 1").total ?? 0)
    let after = try await loader.send("trips 200").median ?? 0
    let restored = try ProcessMemory(of: process)
    func row(_ what: String, _ ours: String, _ figure: Double, _ unit: String) -> Row {
      Row(what: what, ours: ours, figure: figure, unit: unit)
    }
    return [
      row("start of \(count) flow trees, 64 calls at once", Figures.time(started), started / 1e9, "s"),
      row("an event in the last of them", Figures.time(event), event / 1e3, "µs"),
      row("resident memory", "\(memory.resident / 1_024) MiB", Double(memory.resident) / Double(count), "KiB each"),
      row("restart after kill -9: until it owns its name", Figures.time(boot.total ?? 0), (boot.total ?? 0) / 1e6, "ms"),
      row("restart: until the last tree answers", Figures.time(back), back / 1e9, "s"),
      row("an event after the restart", Figures.time(after), after / 1e3, "µs"),
      row(
        "resident memory after the restart", "\(restored.resident / 1_024) MiB", Double(restored.resident) / Double(count),
        "KiB each"),
    ]
  }
}
