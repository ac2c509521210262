import Foundation

/// Measures the cost of durability.
struct Journal: Measurement {
  static let name = "journal"
  static let title = "Delegate with the journal, --sync full"

  func run(_ lab: Lab) async throws -> [Row] {
    let bus = try await Bus(lab)
    let state = try lab.directory("state")
    let ours = try await Loader.boot(lab, .ours(lab, ["--state-dir", state, "--sync", "full"]), on: bus)
    try await ours.send("start 64")
    try await ours.send("attach 64")
    let bytes = try await bytesPerTransition(ours, in: state)
    lab.say("  a transition writes \(bytes) bytes")
    let other = try await Loader.boot(lab, .bare(lab, bus, store: (try lab.directory("store") + "/log", bytes)), on: bus)
    try await other.send("start 64")
    try await other.send("attach 64")
    let pair = Pair(ours: ours, other: other)
    try await pair.compare(lab)
    try await pair.both("trips 200")
    let trips = try await pair.alternate(lab.times(20, quick: 6), "trips 500")

    // On a separate bus, because the name is the same.
    let memory = try await Loader.boot(lab, .ours(lab), on: try await Bus(lab))
    try await memory.send("start 64")
    try await memory.send("attach 64")
    let flights = try await Pair(ours: ours, other: memory).alternate(lab.times(20, quick: 6), "flight 64 6400")
    return [
      .times("one at a time, median; beside bare C that writes \(bytes) B and calls fdatasync", trips, \.median, .atMost(1.15)),
      .times("one at a time, 99th percentile", trips, \.p99, nil),
      .rates("64 in flight over 64 trees; beside --ephemeral", flights, .atLeast(0.5)),
    ]
  }

  /// Returns by how many bytes one transition grows the write-ahead log, before the log starts again from its beginning.
  private func bytesPerTransition(_ loader: Loader, in directory: String) async throws -> Int {
    let count = 20
    try await loader.send("trips 1")
    let before = try size(of: directory)
    try await loader.send("trips \(count)")
    let grown = try size(of: directory) - before
    guard grown > 0 else { throw NothingWritten(directory: directory) }
    return grown / count
  }

  private func size(of directory: String) throws -> Int {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix("-wal") }
    return try files.reduce(0) { sum, file in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(file)")
      return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// The durable daemon has not written anything.
  struct NothingWritten: Error {
    let directory: String
  }
}
