/// Measures large flow trees: an event at the bottom, and the end of the whole tree.
struct WideAndDeep: Measurement {
  static let name = "large-trees"
  static let title = "A flow tree with many coordinators"

  private struct Shape {
    var what: String
    var command: String
    var sizes: [Int]
  }

  func run(_ lab: Lab) async throws -> [Row] {
    let ours = try await Loader.boot(lab, .ours(lab), on: try await Bus(lab))
    let shapes = [
      Shape(what: "children beside each other", command: "wide", sizes: [1, 10, 100, 999]),
      Shape(what: "children within each other", command: "deep", sizes: [1, 8, 63]),
    ]
    var rows: [Row] = []
    for shape in shapes { rows += try await measure(shape, ours, times: lab.times(9, quick: 3)) }
    return rows
  }

  private func measure(_ shape: Shape, _ loader: Loader, times: Int) async throws -> [Row] {
    var events: [(size: Int, time: Double)] = []
    var ends: [(size: Int, time: Double)] = []
    for size in shape.sizes {
      var trips: [Double] = []
      var dismissals: [Double] = []
      for _ in 0..<times {
        try await loader.send("start 1")
        try await loader.send("\(shape.command) \(size)")
        try await loader.send("trips 20")
        trips.append(try await loader.send("trips 200").median ?? 0)
        dismissals.append(try await loader.send("dismiss").total ?? 0)
      }
      events.append((size, Figures.median(trips)))
      ends.append((size, Figures.median(dismissals)))
    }
    guard let one = events.first, let few = ends.dropFirst().first, let most = ends.last else { return [] }
    let rows = events.dropFirst().map { event in
      Row(
        what: "event at the bottom of \(event.size) \(shape.what); beside 1", ours: Figures.time(event.time),
        other: Figures.time(one.time), figure: event.time / one.time, target: .atMost(1.25))
    }
    return rows + [
      Row(
        what: "Dismiss of the root of \(most.size) \(shape.what), for each; beside \(few.size)",
        ours: Figures.time(most.time / Double(most.size)), other: Figures.time(few.time / Double(few.size)),
        figure: most.time / Double(most.size) / few.time * Double(few.size), target: .atMost(1.25))
    ]
  }
}
