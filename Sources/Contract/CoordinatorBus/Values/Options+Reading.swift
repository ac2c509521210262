import DBus
import Languages

extension Options {
  /// Decodes the options of a call.
  ///
  /// Accepts any integer type whose value fits, and an `a{ss}` as well as an `a{sv}`. Nested variants are unwrapped.
  ///
  /// - Parameters:
  ///   - value: the argument as received from the bus.
  ///   - allowed: the keys that the method supports.
  /// - Throws: `InvalidArgs` for a key that the method does not support, or a value of the wrong type or out of range.
  public init(_ value: Value, allowing allowed: Set<Key>) throws(DBusError) {
    guard let options = value.vardict else { throw .invalidArgs("options are not a dictionary of variants") }
    self.init()
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      guard let key = Key(rawValue: name), allowed.contains(key) else {
        throw .invalidArgs("unknown option '\(name)'; accepted here: \(Self.list(allowed))")
      }
      try read(key, from: value.unwrapped)
    }
  }

  private mutating func read(_ key: Key, from value: Value) throws(DBusError) {
    switch key {
    case .request: request = try Self.word(key, value, alsoDash: true)
    case .token: token = try Self.token(value)
    case .fresh:
      guard let isFresh = value.bool else { throw .invalidArgs("option 'fresh' is not a Boolean") }
      fresh = isFresh
    case .language:
      guard let name = value.string, let tag = try? LanguageTag(name) else {
        throw .invalidArgs("option 'language' is not the name of a language, such as de or pt-BR")
      }
      language = tag
    case .lifetime: lifetime = try Self.choice(key, value)
    case .style: style = try Self.choice(key, value)
    case .seen: seen = try Self.unsigned(key, value)
    case .timeout:
      let microseconds = try Self.unsigned(key, value)
      guard microseconds > 0 else { throw .invalidArgs("option 'timeout' must not be 0") }
      timeout = microseconds
    }
  }

  /// Decodes a token, as the option and as an argument.
  ///
  /// - Parameter value: the value as received from the bus.
  /// - Returns: the token.
  /// - Throws: `InvalidArgs` unless it is 1 to 64 characters of `[A-Za-z0-9_]`.
  public static func token(_ value: Value) throws(DBusError) -> String { try word(.token, value, alsoDash: false) }

  private static func word(_ key: Key, _ value: Value, alsoDash: Bool) throws(DBusError) -> String {
    guard let word = value.string else { throw .invalidArgs("option '\(key.rawValue)' is not a string") }
    let isFine = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      case UInt8(ascii: "-"): alsoDash
      default: false
      }
    }
    guard isFine, (1...64).contains(word.utf8.count) else {
      let characters = alsoDash ? "[A-Za-z0-9_-]" : "[A-Za-z0-9_]"
      throw .invalidArgs("option '\(key.rawValue)' is not 1 to 64 characters of \(characters)")
    }
    return word
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: Key, _ value: Value
  ) throws(DBusError) -> Choice {
    guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
      let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      throw .invalidArgs("option '\(key.rawValue)' is not \(choices)")
    }
    return choice
  }

  private static func unsigned(_ key: Key, _ value: Value) throws(DBusError) -> UInt64 {
    guard let number = value.uint64 else {
      throw .invalidArgs("option '\(key.rawValue)' is not a non-negative integer")
    }
    return number
  }

  private static func list(_ keys: Set<Key>) -> String {
    keys.isEmpty ? "none" : keys.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
  }
}
