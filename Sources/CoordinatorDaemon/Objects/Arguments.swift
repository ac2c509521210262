import DBus

/// Takes the arguments of a call one by one, with the types that the contract gives them.
struct Arguments {
  private let values: [Value]
  private var index = 0

  init(_ call: IncomingCall) { values = call.arguments }

  mutating func value() throws(DBusError) -> Value {
    guard index < values.count else { throw .invalidArgs("an argument is missing") }
    defer { index += 1 }
    return values[index]
  }

  mutating func string() throws(DBusError) -> String {
    guard let string = try value().string else { throw .invalidArgs("an argument is not a text") }
    return string
  }

  mutating func unsigned() throws(DBusError) -> UInt64 {
    guard let number = try value().uint64 else { throw .invalidArgs("an argument is not a number of 0 or more") }
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
