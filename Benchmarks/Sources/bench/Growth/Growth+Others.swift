import Foundation
import TestBus

extension Growth {
  /// Measures the items of a list that each event shows again.
  func items(_ lab: Lab) async throws -> Plot {
    var times: [(x: Double, y: Double)] = []
    var memory: [(x: Double, y: Double)] = []
    for count in lab.isQuick ? [1, 30, 1_000] : [1, 3, 10, 30, 100, 300, 1_000] {
      let loader = try Loader(lab, .ours(lab, ["--ephemeral", "--items", "\(count)"]), on: try await Bus(lab))
      let process = try await loader.boot().process ?? 0
      try await loader.send("start 1")
      let before = try ProcessMemory(of: process).anonymous
      let trees = max(2, 1_000 / count)
      try await loader.send("start \(trees)")
      memory.append((Double(count), max(Double(try ProcessMemory(of: process).anonymous - before) * 1_024, 1) / Double(trees)))
      times.append((Double(count), try await Self.event(lab, loader)))
    }
    return Plot(
      name: "items", number: "items of a list",
      curves: [
        Curve(title: "An event that shows it anew", unit: .time, points: times),
        Curve(title: "Memory of its tree", unit: .bytes, points: memory),
      ])
  }

  /// Measures renderers that show the same tree.
  func renderers(_ lab: Lab) async throws -> Plot {
    let loader = try await Loader.boot(lab, .ours(lab), on: try await Bus(lab))
    var times: [(x: Double, y: Double)] = []
    var processor: [(x: Double, y: Double)] = []
    for count in lab.isQuick ? [1, 10, 100] : [1, 3, 10, 30, 100, 200] {
      let turns = lab.times(500, quick: 100)
      try await loader.send("fan \(count) 50")
      let before = try await loader.send("processor").total ?? 0
      times.append((Double(count), try await loader.send("fan \(count) \(turns)").median ?? 0))
      processor.append((Double(count), ((try await loader.send("processor").total ?? 0) - before) / Double(turns)))
    }
    return Plot(
      name: "renderers", number: "renderers of a tree",
      curves: [
        Curve(title: "Until the last of them shows it", unit: .time, points: times),
        Curve(title: "Processor time of the daemon", unit: .time, points: processor),
      ])
  }

  /// Measures events that a stored tree has had.
  func history(_ lab: Lab) async throws -> Plot {
    let state = try lab.directory("history")
    let options = ["--state-dir", state, "--sync", "off"]
    let loader = try await Loader.boot(lab, .ours(lab, options), on: try await Bus(lab))
    try await loader.send("start 1")
    var times: [(x: Double, y: Double)] = []
    var sizes: [(x: Double, y: Double)] = []
    var events = 0
    for count in lab.isQuick ? [1_000, 3_000, 10_000] : [1_000, 3_000, 10_000, 30_000, 100_000] {
      try await loader.send("trips \(count - events)")
      times.append((Double(count), try await Self.event(lab, loader)))
      events = count + 100 + 200 * lab.times(7, quick: 3)
      // When the daemon ends, it moves the write-ahead log into the database, and starts a new one.
      sizes.append((Double(count), try Self.size(of: state)))
    }
    return Plot(
      name: "history", number: "events that a stored tree has had",
      curves: [
        Curve(title: "The next event", unit: .time, points: times),
        Curve(title: "Size of the journal's files", unit: .bytes, points: sizes),
      ])
  }

  private static func size(of directory: String) throws -> Double {
    try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, file in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(file)")
      return sum + ((attributes[.size] as? NSNumber)?.doubleValue ?? 0)
    }
  }

  /// Measures processes that serve flows.
  func providers(_ lab: Lab) async throws -> Plot {
    let flow = try await ServedFlow(lab, ["--ephemeral"], by: nil)
    let before = try ProcessMemory(of: flow.process).anonymous
    var programs: [Program] = []
    var times: [(x: Double, y: Double)] = []
    var memory: [(x: Double, y: Double)] = []
    for count in lab.isQuick ? [1, 4, 16] : [1, 2, 4, 8, 16, 32] {
      while programs.count < count {
        let number = programs.count
        programs.append(try flow.start([lab.program("bench-provider")], ["NUMBER": "\(number)"]))
        try await flow.startFlows(1, named: "turn-\(number)")
      }
      memory.append(
        (Double(count), max(Double(try ProcessMemory(of: flow.process).anonymous - before) * 1_024, 1) / Double(count)))
      times.append((Double(count), try await Self.event(lab, flow.loader)))
    }
    for program in programs { program.signal(9) }
    return Plot(
      name: "providers", number: "providers",
      curves: [
        Curve(title: "An event of a built-in flow", unit: .time, points: times),
        Curve(title: "Memory of the daemon for each", unit: .bytes, points: memory),
      ])
  }
}
