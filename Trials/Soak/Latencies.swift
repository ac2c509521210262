/// A collection of call latencies.
struct Latencies: Sendable, CustomStringConvertible {
  private var all: [Duration] = []

  mutating func add(_ latency: Duration) { all.append(latency) }

  /// Returns a percentile of the latencies; zero if there are none.
  func percentile(_ number: Int) -> Duration {
    guard !all.isEmpty else { return .zero }
    return all.sorted()[min(all.count - 1, all.count * number / 100)]
  }

  var description: String {
    let names = [("half of them", 50), ("99 %", 99), ("all", 100)]
    return "\(all.count) times; " + names.map { "\($0) within \(Self.milliseconds(percentile($1))) ms" }.joined(separator: ", ")
  }

  private static func milliseconds(_ duration: Duration) -> Double { (duration / .microseconds(10)).rounded() / 100 }
}
