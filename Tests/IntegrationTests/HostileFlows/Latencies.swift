/// The latencies of calls.
struct Latencies: Sendable, CustomStringConvertible {
  private(set) var values: [Duration] = []

  mutating func add(_ value: Duration) { values.append(value) }

  var longest: Duration { values.max() ?? .zero }

  var median: Duration {
    let sorted = values.sorted()
    return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
  }

  var description: String {
    "\(values.count) calls, median \(median.milliseconds) ms, longest \(longest.milliseconds) ms"
  }
}

extension Duration {
  /// The duration in milliseconds, with two decimal places.
  fileprivate var milliseconds: Double { (self / .microseconds(10)).rounded() / 100 }
}
