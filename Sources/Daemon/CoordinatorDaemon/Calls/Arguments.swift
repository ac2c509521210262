import DBus

/// Reads the arguments of a call one by one, as the types that the contract gives them.
struct Arguments {
  private let values: [Value]
  private var index = 0
  /// The maximum length of a name in bytes, which is the same for all names on the bus.
  private static let longestName = 255

  init(_ values: [Value]) { self.values = values }

  mutating func value() throws(DBusError) -> Value {
    guard index < values.count else { throw .invalidArgs("an argument is missing") }
    defer { index += 1 }
    return values[index]
  }

  /// Reads the name of a flow or an event.
  mutating func name() throws(DBusError) -> String {
    guard let name = try value().string else { throw .invalidArgs("an argument is not a string") }
    guard name.utf8.count <= Self.longestName else {
      throw .limitsExceeded("a name must not be longer than \(Self.longestName) bytes")
    }
    return name
  }

  mutating func unsigned() throws(DBusError) -> UInt64 {
    guard let number = try value().uint64 else { throw .invalidArgs("an argument is not a non-negative integer") }
    return number
  }

  mutating func boolean() throws(DBusError) -> Bool {
    guard let boolean = try value().bool else { throw .invalidArgs("an argument is not a boolean") }
    return boolean
  }

  mutating func objectPath() throws(DBusError) -> ObjectPath {
    guard let path = try value().objectPath else { throw .invalidArgs("an argument is not an object path") }
    return path
  }
}
