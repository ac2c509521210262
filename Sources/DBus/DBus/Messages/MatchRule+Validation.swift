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
