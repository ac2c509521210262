import Platform

/// A match rule, which selects the messages that the bus delivers: the argument of `AddMatch`. A nil property matches
/// everything.
///
/// Source: D-Bus Specification, "Match Rules".
public struct MatchRule: Sendable, Hashable {
  /// The message types.
  public enum MessageType: String, Sendable, Hashable, CaseIterable {
    case signal
    case methodCall = "method_call"
    case methodReturn = "method_return"
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
