import Foundation
import TestBus

/// A daemon that no client needs at the moment.
struct Idle: Measurement {
  static let name = "idle"
  static let title = "At rest"

  func run(_ lab: Lab) async throws -> [Row] {
    let loader = try Loader(lab, .ours(lab, ["--state-dir", try lab.directory("idle")]), on: try await Bus(lab))
    let process = try await loader.boot().process ?? 0
    let resident = try ProcessMemory(of: process)
    try await loader.send("start 10")
    try await loader.send("attach 10")
    try await loader.send("trips 100")
    let seconds = lab.times(60, quick: 10)
    // The journal checkpoints once after a short idle time; threads that are idle for five seconds end; and 30 s after an
    // event, the daemon checks once whether a handler is stuck (rule 2).
    try await Task.sleep(for: .seconds(32))
    let before = try Self.switches(of: process)
    try await Task.sleep(for: .seconds(seconds))
    let wakeUps = try Self.switches(of: process).reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    let size = try await Self.size(ofStripped: lab.program("bench-daemon"), lab)
    return [
      Row(
        what: "wake-ups of all its threads in \(seconds) s, with 10 flows and a renderer, 32 s after the last event",
        ours: "\(wakeUps)", figure: Double(wakeUps),
        unit: "", target: .atMost(0)),
      Row(
        what: "resident memory with no flows (\(resident.anonymous) kB of it its own)", ours: "\(resident.resident) kB",
        figure: Double(resident.resident) / 1_024, unit: "MiB", target: .atMost(12)),
      Row(what: "the binary, stripped", ours: "\(size / 1_024) kB", figure: Double(size) / 1_048_576, unit: "MiB"),
    ]
  }

  /// Returns how often each thread of a process was put to sleep or preempted, as counted by the kernel.
  private static func switches(of process: Int32) throws -> [String: Int] {
    let tasks = "/proc/\(process)/task"
    let pairs = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task -> (String, Int)? in
      // A thread may end between the two reads.
      guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8) else { return nil }
      let counts = status.split(separator: "\n").filter { $0.contains("_ctxt_switches:") }
      return (task, counts.compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } }.reduce(0, +))
    }
    return Dictionary(pairs, uniquingKeysWith: max)
  }

  private static func size(ofStripped path: String, _ lab: Lab) async throws -> Int {
    let stripped = try lab.directory("binary") + "/stripped"
    let report = try await Program.run(["strip", "-o", stripped, path])
    guard report.status == .exited(0) else { throw report }
    return (try FileManager.default.attributesOfItem(atPath: stripped)[.size] as? NSNumber)?.intValue ?? 0
  }
}
