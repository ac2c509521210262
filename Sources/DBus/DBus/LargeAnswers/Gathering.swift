/// What is gathered for `GetManagedObjects`, some objects at a time, so that others are served in between.
struct Gathering {
  /// One object: its interfaces, and of each the properties that can be read.
  typealias Row = (path: ObjectPath, interfaces: [(name: String, properties: [String: PropertyReading])])

  private(set) var rows: [Row] = []
  private(set) var paths: ArraySlice<ObjectPath>
  /// What was told of objects since it began.
  private(set) var signals: [Signal] = []
  /// Whether more was told than is worth remembering.
  private(set) var isOutdated = false
  private static let mostSignals = 65_536

  init(_ paths: [ObjectPath]) { self.paths = paths[...] }

  mutating func nextPath() -> ObjectPath? { paths.popFirst() }

  mutating func add(_ row: Row) { rows.append(row) }

  mutating func note(_ signal: Signal) {
    guard StandardInterfaces.tellsOfObjects(signal) else { return }
    if signals.count < Self.mostSignals { signals.append(signal) } else { isOutdated = true }
  }

  /// Takes the rows, to make the answer of them.
  mutating func takeRows() -> [Row] {
    defer { rows = [] }
    return rows
  }
}

/// A property as it was read, or how to make its value.
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
  /// Whether a signal tells of objects that come, go or change.
  fileprivate static func tellsOfObjects(_ signal: Signal) -> Bool {
    signal.interface == objectManager.name || signal.interface == properties.name
  }
}
