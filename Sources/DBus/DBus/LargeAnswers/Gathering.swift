/// The objects gathered for `GetManagedObjects`, some at a time, so that others are served in between.
struct Gathering {
  /// An object: its path and interfaces, each with its readable properties.
  typealias Row = (path: ObjectPath, interfaces: [(name: String, properties: [String: PropertyReading])])

  private(set) var rows: [Row] = []
  private(set) var paths: ArraySlice<ObjectPath>
  /// The signals about objects that were sent since gathering began, with their destinations; nil for everyone.
  private var signals: [(signal: Signal, destination: String?)] = []
  /// Whether there were more such signals than can be stored.
  private(set) var isOutdated = false
  private static let mostSignals = 65_536

  init(_ paths: [ObjectPath]) { self.paths = paths[...] }

  mutating func nextPath() -> ObjectPath? { paths.popFirst() }

  mutating func add(_ row: Row) { rows.append(row) }

  mutating func note(_ signal: Signal, to destination: String?) {
    guard StandardInterfaces.tellsOfObjects(signal) else { return }
    if signals.count < Self.mostSignals { signals.append((signal, destination)) } else { isOutdated = true }
  }

  /// Returns the signals that a client has received, and no others: the others may be about objects that are hidden from it.
  func signals(to client: String) -> [Signal] {
    signals.filter { $0.destination == nil || $0.destination == client }.map(\.signal)
  }

  /// Removes and returns the rows, to make the answer from them.
  mutating func takeRows() -> [Row] {
    defer { rows = [] }
    return rows
  }
}

/// A property's value, or a closure that makes it.
enum PropertyReading: Sendable {
  case value(Value)
  case large(LargeProperty)

  var value: Value {
    switch self {
    case .value(let value): value
    case .large(let large): large.make()
    }
  }
}

extension StandardInterfaces {
  /// Whether a signal reports that objects appear, disappear or change.
  fileprivate static func tellsOfObjects(_ signal: Signal) -> Bool {
    signal.interface == objectManager.name || signal.interface == properties.name
  }
}
