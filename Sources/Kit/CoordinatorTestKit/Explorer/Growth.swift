import CoordinatorKit
import Platform

/// Determines what grows on a path through a flow, and so may keep a walk from ending.
struct Growth {
  /// How often a size has to grow before it counts.
  private static let least = 3

  private var series: [String: [Double]] = [:]

  /// Adds the next state of the path.
  ///
  /// - Parameter sizes: the sizes that may grow, by their names for people.
  mutating func add(_ sizes: [String: Double]) {
    for (name, size) in sizes where series[name]?.last != size { series[name, default: []].append(size) }
  }

  /// The size that has grown most often, and never shrunk, with its last values; nil if none has grown more than a few times.
  var text: String? {
    let growing = series.filter { $1.count > Self.least && zip($1, $1.dropFirst()).allSatisfy { $0 < $1 } }
    guard let (name, sizes) = growing.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else { return nil }
    let last = sizes.suffix(Self.least).map { size in Int64(exactly: size).map { "\($0)" } ?? "\(size)" }
    return "\(name) keeps growing: …, \(last.joined(separator: ", ")), …"
  }
}

extension TreeState {
  /// The sizes that may grow without end, by their names for people: screens, children, running
  /// work, timers, and the values of coordinators.
  var sizes: [String: Double] {
    var sizes = ["the number of screens": Double(window.screens.count), "the number of coordinators": Double(coordinators.count)]
    for record in coordinatorsInOrder {
      // Usually because startWork has no key, so that the same work is started again and again.
      for (kind, count) in [("running work", record.work.count), ("timers", record.timers.count)] where count > 0 {
        let name = "the number of \(kind) of \(record.flow)"
        sizes[name] = max(Double(count), sizes[name] ?? 0)
      }
      let state =
        ServedParts(record)?.state ?? record.providedState.flatMap { JSONValue(json: $0) }
        ?? (try? JSONValue(encoding: record.state))
      for (kind, json) in [("input", JSONValue.object(record.input)), ("state", state ?? .null)] {
        for (name, size) in json.sizes(at: "\(kind) of \(record.flow)") { sizes[name] = max(size, sizes[name] ?? size) }
      }
    }
    guard let top = window.top, let flow = coordinators[top.coordinator]?.flow else { return sizes }
    return sizes.merging(((try? JSONValue(encoding: top.route)) ?? .null).sizes(at: "route of \(flow)")) { $1 }
  }
}

extension JSONValue {
  /// The numbers within the value, also in texts, and the lengths of its texts and lists, by their names for people.
  package func sizes(at place: String) -> [String: Double] {
    switch self {
    case .integer(let number): return [place: Double(number)]
    case .number(let number): return [place: number]
    case .string(let text): return Double(text).map { [place: $0] } ?? ["the length of \(place)": Double(text.utf8.count)]
    case .array(let elements): return ["the length of \(place)": Double(elements.count)]
    case .object(let members):
      var sizes = members.isEmpty ? [:] : ["the number of values in \(place)": Double(members.count)]
      for (name, value) in members { sizes.merge(value.sizes(at: "\(name) in the \(place)")) { $1 } }
      return sizes
    case .null, .boolean: return [:]
    }
  }
}
