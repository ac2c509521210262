import DBus

/// Reads an argument that is a dictionary, key by key. A value of another type, and a key that was not read, cause
/// `InvalidArgs`: the contract promises that a typo is never silently ignored.
struct NamedArguments {
  /// The values that have not been read yet.
  private var values: [String: Value]
  /// The name of the dictionary in errors.
  var subject: String

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - value: the argument as received from the bus.
  ///   - subject: the name of the argument in errors, such as "the result of work".
  /// - Throws: `InvalidArgs` if it is not a dictionary of variants.
  init(_ value: Value, of subject: String) throws(DBusError) {
    guard let values = value.vardict else { throw .invalidArgs("\(subject) is not a dictionary of variants") }
    (self.values, self.subject) = (values, subject)
  }

  /// Returns the value of a key; nil if it is missing.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expected: the description of a valid value, such as "a string".
  ///   - convert: returns the value; nil if it is of another type.
  /// - Returns: the value.
  /// - Throws: `InvalidArgs` if the value is of another type.
  mutating func take<Result>(
    _ key: String, _ expected: String, _ convert: (Value) -> Result?
  ) throws(DBusError) -> Result? {
    guard let value = values.removeValue(forKey: key)?.unwrapped else { return nil }
    guard let result = convert(value) else { throw .invalidArgs("\(subject) has a '\(key)' that is not \(expected)") }
    return result
  }

  /// Returns the string of a key; nil if it is missing.
  mutating func string(_ key: String) throws(DBusError) -> String? { try take(key, "a string", \.string) }

  /// Returns the Boolean of a key; nil if it is missing.
  mutating func boolean(_ key: String) throws(DBusError) -> Bool? { try take(key, "a boolean", \.bool) }

  /// Returns the non-negative integer of a key; nil if it is missing.
  mutating func unsigned(_ key: String) throws(DBusError) -> UInt64? { try take(key, "a non-negative integer", \.uint64) }

  /// Throws if a key has not been read.
  func finish() throws(DBusError) {
    if let key = values.keys.min() { throw .invalidArgs("\(subject) has the unknown key '\(key)'") }
  }
}
