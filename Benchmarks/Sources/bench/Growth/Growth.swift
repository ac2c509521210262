import Foundation

/// Measures how time and memory depend on numbers: plots, and the laws that they follow.
struct Growth: Measurement {
  static let name = "growth"
  static let title = "Growth"

  func run(_ lab: Lab) async throws -> [Row] {
    var plots: [Plot] = []
    for (name, measure) in Self.all {
      lab.say("  against \(name)")
      plots.append(try await measure(self)(lab))
      try lab.keep(plots.last)
    }
    return plots.flatMap { plot in plot.curves.map { $0.row(against: plot.number) } }
  }

  private static let all: [(name: String, measure: @Sendable (Growth) -> @Sendable (Lab) async throws -> Plot)] = [
    ("trees", { growth in { try await growth.trees($0) } }), ("depth", { growth in { try await growth.depth($0) } }),
    ("children", { growth in { try await growth.children($0) } }), ("items", { growth in { try await growth.items($0) } }),
    ("renderers", { growth in { try await growth.renderers($0) } }), ("history", { growth in { try await growth.history($0) } }),
    ("providers", { growth in { try await growth.providers($0) } }),
    ("stored trees", { growth in { try await growth.restarts($0) } }),
  ]

  /// Limits that no measurement reaches.
  static let unlimited = ["--max-flows", "1100000", "--max-flows-per-client", "1100000"]

  /// Returns the median time of an event in the tree that was started last.
  static func event(_ lab: Lab, _ loader: Loader) async throws -> Double {
    try await loader.send("trips 100")
    var medians: [Double] = []
    for _ in 0..<lab.times(7, quick: 3) { medians.append(try await loader.send("trips 200").median ?? 0) }
    return Figures.median(medians)
  }
}

extension Lab {
  /// Writes a plot, if plots are requested.
  func keep(_ plot: Plot?) throws {
    guard let plot, let plots else { return }
    try FileManager.default.createDirectory(at: plots, withIntermediateDirectories: true)
    try plot.svg.write(to: plots.appending(path: "\(plot.name).svg"), atomically: true, encoding: .utf8)
  }
}
