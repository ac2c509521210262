import DBus
import Languages

/// The options of a call, decoded as strictly as the contract requires: an unknown key or a wrong type is
/// `InvalidArgs`.
///
/// A method names the keys that it supports: `try Options(vardict, allowing: [.request, .seen])`.
public struct Options: Sendable, Hashable {
  /// The option keys of all methods.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    case request, token, lifetime, timeout, seen, style, fresh, language, proposals, way, force
  }

  /// The lifetime of a root coordinator.
  public enum Lifetime: String, Sendable, Hashable, CaseIterable {
    /// The coordinator lives until it ends.
    case daemon
    /// The coordinator lives until it ends or its caller leaves the bus.
    case caller
  }

  /// The way in which a child coordinator is shown.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// The child's screens are on top of its parent's layer.
    case push
    /// The child has its own layer.
    case modal
  }

  /// The request key, which makes the call safe to repeat: 1 to 64 characters of `[A-Za-z0-9_-]`.
  public var request: String?
  /// The token that names a root coordinator: 1 to 64 characters of `[A-Za-z0-9_]`.
  public var token: String?
  /// The lifetime of a root coordinator.
  public var lifetime: Lifetime?
  /// The time after which the flow is dismissed, in microseconds, regardless of changes to the clock; never 0.
  public var timeout: UInt64?
  /// The revision that the user was looking at.
  public var seen: UInt64?
  /// The way in which a child is shown.
  public var style: Style?
  /// Whether to start a flow again although the token's flow has ended.
  public var fresh: Bool?
  /// The initial language of the screens.
  public var language: LanguageTag?
  /// Whether a renderer may propose another language, until a user has chosen one or has answered.
  public var proposals: Bool?
  /// The way in which the call came, such as "coordinatorctl", for the history: 1 to 64 characters of `[A-Za-z0-9_-]`.
  public var way: String?
  /// Whether to end a coordinator without asking its flow.
  public var force: Bool?

  /// Creates options to send. They are not checked: the sender must know which ones the method supports.
  public init(
    request: String? = nil, token: String? = nil, lifetime: Lifetime? = nil, timeout: UInt64? = nil,
    seen: UInt64? = nil, style: Style? = nil, fresh: Bool? = nil,
    language: LanguageTag? = nil, proposals: Bool? = nil, way: String? = nil, force: Bool? = nil
  ) {
    self.request = request
    self.token = token
    self.lifetime = lifetime
    self.timeout = timeout
    self.seen = seen
    self.style = style
    self.fresh = fresh
    self.language = language
    self.proposals = proposals
    self.way = way
    self.force = force
  }

  /// The options' representation on the bus, without those that are nil.
  public var value: Value {
    var options: [String: Value] = [:]
    options[Key.request.rawValue] = request.map(Value.string)
    options[Key.token.rawValue] = token.map(Value.string)
    options[Key.lifetime.rawValue] = lifetime.map { .string($0.rawValue) }
    options[Key.timeout.rawValue] = timeout.map(Value.uint64)
    options[Key.seen.rawValue] = seen.map(Value.uint64)
    options[Key.style.rawValue] = style.map { .string($0.rawValue) }
    options[Key.fresh.rawValue] = fresh.map(Value.boolean)
    options[Key.language.rawValue] = language.map { .string($0.description) }
    options[Key.proposals.rawValue] = proposals.map(Value.boolean)
    options[Key.way.rawValue] = way.map(Value.string)
    options[Key.force.rawValue] = force.map(Value.boolean)
    return .vardict(options)
  }
}

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
        throw .invalidArgs("\(Self.complaint(about: name)); accepted here: \(Self.list(allowed))")
      }
      try read(key, from: value.unwrapped)
    }
  }

  /// The beginning of the message of the error for an unsupported key, by which a client recognizes a daemon that is older
  /// than an option.
  fileprivate static func complaint(about name: String) -> String { "unknown option '\(name)'" }

  private mutating func read(_ key: Key, from value: Value) throws(DBusError) {
    switch key {
    case .request: request = try Self.word(key, value, alsoDash: true)
    case .way: way = try Self.word(key, value, alsoDash: true)
    case .token: token = try Self.token(value)
    case .fresh: fresh = try Self.boolean(key, value)
    case .proposals: proposals = try Self.boolean(key, value)
    case .force: force = try Self.boolean(key, value)
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

  private static func boolean(_ key: Key, _ value: Value) throws(DBusError) -> Bool {
    guard let boolean = value.bool else { throw .invalidArgs("option '\(key.rawValue)' is not a Boolean") }
    return boolean
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

extension DBusError {
  /// Returns whether the error is that of a method that does not support an option, as in an older daemon, which has changed
  /// nothing then.
  public func isUnknownOption(_ key: Options.Key) -> Bool {
    isStandard("InvalidArgs") && message.bytes.hasPrefix(Options.complaint(about: key.rawValue))
  }
}
