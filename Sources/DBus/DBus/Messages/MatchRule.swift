import Platform

/// A match rule, which selects the messages that the bus delivers: the argument of `AddMatch`. A nil property matches
/// everything.
///
/// Source: D-Bus Specification, "Match Rules".
public struct MatchRule: Sendable, Hashable {
  /// The message types.
  public enum MessageType: String, Sendable, Hashable, CaseIterable {
    /// A signal, which tells everyone that something has happened.
    case signal
    /// The call of a method.
    case methodCall = "method_call"
    /// The reply to a call that succeeded.
    case methodReturn = "method_return"
    /// The reply to a call that failed.
    case error
  }

  /// The message type.
  public var type: MessageType?
  /// The sender's bus name, unique or well-known.
  public var sender: String?
  /// The receiver's unique name.
  public var destination: String?
  /// The object's path. Mutually exclusive with `pathNamespace`.
  public var path: ObjectPath?
  /// The path of the object or of an ancestor. Mutually exclusive with `path`.
  public var pathNamespace: ObjectPath?
  /// The interface.
  public var interface: String?
  /// The name of the method or signal.
  public var member: String?
  /// The required values of string arguments, by argument position, 0 to 63.
  public var arguments: [Int: String]
  /// Like `arguments`, but for strings and object paths. In addition, an argument matches if one of the two strings
  /// ends in a slash and is a prefix of the other.
  public var argumentPaths: [Int: String]
  /// A bus name or interface name, or its first elements, that argument 0 must be equal to or begin with.
  public var arg0Namespace: String?

  /// Creates a rule; by default, one for signals.
  public init(
    type: MessageType? = .signal, sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: String? = nil, member: String? = nil, arguments: [Int: String] = [:], argumentPaths: [Int: String] = [:],
    arg0Namespace: String? = nil, destination: String? = nil
  ) {
    self.type = type
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.argumentPaths = argumentPaths
    self.arg0Namespace = arg0Namespace
    self.destination = destination
  }

  /// The required value of argument 0.
  public var arg0: String? {
    get { arguments[0] }
    set { arguments[0] = newValue }
  }
}

extension MatchRule: CustomStringConvertible {
  /// The rule in the syntax of the bus. Equal rules have equal strings.
  public var string: String {
    var keys: [(key: String, value: String)] = []
    func add(_ key: String, _ value: String?) {
      if let value { keys.append((key, value)) }
    }
    add("type", type?.rawValue)
    add("sender", sender)
    add("destination", destination)
    add("path", path?.string)
    add("path_namespace", pathNamespace?.string)
    add("interface", interface)
    add("member", member)
    for (index, text) in arguments.sorted(by: { $0.key < $1.key }) { add("arg\(index)", text) }
    for (index, text) in argumentPaths.sorted(by: { $0.key < $1.key }) { add("arg\(index)path", text) }
    add("arg0namespace", arg0Namespace)
    return keys.map { "\($0.key)=\(ShellText.quoted($0.value))" }.joined(separator: ",")
  }

  /// The rule in the syntax of the bus.
  public var description: String { string }
}

/// Why the bus would refuse a match rule.
public enum InvalidMatchRule: Error, Sendable, Hashable {
  /// The sender, destination, interface, member or namespace is not a valid name.
  case name(InvalidName)
  /// `path` and `pathNamespace` are both set.
  case twoPaths
  /// The argument position is not between 0 and 63.
  case argumentPosition(Int)
  /// The required value of an argument contains U+0000.
  case nulInString
  /// The rule is longer than 1024 bytes.
  case tooLong
}

extension InvalidMatchRule: CustomStringConvertible {
  /// The error on one line, safe to log.
  public var description: String {
    switch self {
    case .name(let name): name.description
    case .twoPaths: "a match rule can match a path or a path namespace, but not both"
    case .argumentPosition(let position): "a match rule cannot match argument \(position)"
    case .nulInString: "a match rule contains the character U+0000"
    case .tooLong: "a match rule is longer than \(WireLimits.matchRuleLength) bytes"
    }
  }
}

extension MatchRule {
  /// Checks that the bus would accept the rule.
  ///
  /// - Throws: `InvalidMatchRule` for the first problem.
  public func validated() throws(InvalidMatchRule) {
    do {
      if let sender { try Names.check(sender, as: .busName) }
      if let destination { try Names.check(destination, as: .busName) }
      if let interface { try Names.check(interface, as: .interface) }
      if let member { try Names.check(member, as: .member) }
      if let arg0Namespace { try Self.checkNamespace(arg0Namespace) }
    } catch {
      throw .name(error)
    }
    guard path == nil || pathNamespace == nil else { throw .twoPaths }
    for (position, text) in [arguments, argumentPaths].joined() {
      guard (0...63).contains(position) else { throw .argumentPosition(position) }
      guard !text.holdsNUL else { throw .nulInString }
    }
    guard string.utf8.count <= WireLimits.matchRuleLength else { throw .tooLong }
  }

  /// Checks a namespace, which may be a single element such as `org`.
  private static func checkNamespace(_ namespace: String) throws(InvalidName) {
    guard Names.isNamespace(namespace) else {
      throw InvalidName(namespace, as: .busName)
    }
  }
}

extension MatchRule {
  /// Returns whether the bus would deliver `signal` for this rule. `destination` is ignored, because a signal that has
  /// been received was addressed correctly.
  ///
  /// - Parameters:
  ///   - signal: a received signal.
  ///   - owner: the unique name that owns `sender`, if `sender` is a well-known name. Signals carry unique names only;
  ///     without the owner, a well-known `sender` is not compared, and a signal that another connection sent to this
  ///     one directly would match.
  /// - Returns: whether all conditions of the rule are met.
  public func matches(_ signal: SignalMessage, senderOwner owner: String? = nil) -> Bool {
    guard type == nil || type == .signal else { return false }
    return senderMatches(signal.sender, owner: owner) && pathMatches(signal.path)
      && (interface == nil || interface == signal.interface) && (member == nil || member == signal.member)
      && argumentsMatch(signal.body)
  }

  private func senderMatches(_ actual: String, owner: String?) -> Bool {
    guard let sender, sender != actual else { return true }
    // The bus sends under its well-known name, which no other connection may own.
    if sender.utf8.first == UInt8(ascii: ":") || sender == "org.freedesktop.DBus" { return false }
    return owner == nil || owner == actual
  }

  private func pathMatches(_ actual: ObjectPath) -> Bool {
    if let path, path != actual { return false }
    if let pathNamespace, pathNamespace != actual, !actual.isBelow(pathNamespace) { return false }
    return true
  }

  private func argumentsMatch(_ body: [Value]) -> Bool {
    for (index, expected) in arguments {
      guard body.indices.contains(index), case .string(let actual) = body[index], actual.utf8.elementsEqual(expected.utf8) else {
        return false
      }
    }
    for (index, expected) in argumentPaths {
      guard body.indices.contains(index), Self.pathArgument(body[index], matches: expected) else { return false }
    }
    if let arg0Namespace {
      guard case .string(let actual)? = body.first else { return false }
      guard actual.utf8.elementsEqual(arg0Namespace.utf8) || actual.utf8.starts(with: (arg0Namespace + ".").utf8) else {
        return false
      }
    }
    return true
  }

  private static func pathArgument(_ argument: Value, matches expected: String) -> Bool {
    let actual: String
    switch argument {
    case .string(let string): actual = string
    case .objectPath(let path): actual = path.string
    default: return false
    }
    return actual.utf8.elementsEqual(expected.utf8) || (expected.bytes.hasSuffix("/") && actual.utf8.starts(with: expected.utf8))
      || (actual.bytes.hasSuffix("/") && expected.utf8.starts(with: actual.utf8))
  }
}
