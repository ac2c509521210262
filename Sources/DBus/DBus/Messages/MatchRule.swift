/// Which messages the bus shall pass on: what `AddMatch` takes. Whatever is nil is not asked about.
///
/// Source: D-Bus Specification, "Match Rules".
public struct MatchRule: Sendable, Hashable {
  /// The kinds of message.
  public enum MessageType: String, Sendable, Hashable, CaseIterable {
    case signal
    case methodCall = "method_call"
    case methodReturn = "method_return"
    case error
  }

  /// The kind of message.
  public var type: MessageType?
  /// The sender's bus name, unique or well-known.
  public var sender: String?
  /// The receiver's unique name.
  public var destination: String?
  /// The object itself. Excludes `pathNamespace`.
  public var path: ObjectPath?
  /// The object or one that it is below. Excludes `path`.
  public var pathNamespace: ObjectPath?
  /// The interface.
  public var interface: String?
  /// The method or the signal.
  public var member: String?
  /// Texts of string arguments, by the position of the argument, 0 to 63.
  public var arguments: [Int: String]
  /// The same as `arguments` for strings and object paths; besides, of two texts one may be the beginning of the other if
  /// that one ends in a slash.
  public var argumentPaths: [Int: String]
  /// A bus name or an interface, or the first elements of it, that argument 0 is or begins with.
  public var arg0Namespace: String?

  /// Makes a rule, for signals if nothing else is said.
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

  /// The text of argument 0.
  public var arg0: String? {
    get { arguments[0] }
    set { arguments[0] = newValue }
  }
}

extension MatchRule: CustomStringConvertible {
  /// The rule as the bus takes it. Equal rules have equal texts.
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
    return keys.map { "\($0.key)=\(Self.quoted($0.value))" }.joined(separator: ",")
  }

  /// The rule as the bus takes it.
  public var description: String { string }

  /// Nothing is special between apostrophes but the apostrophe, and outside of them `\'` is one.
  private static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
    }
    return result + "'"
  }
}
