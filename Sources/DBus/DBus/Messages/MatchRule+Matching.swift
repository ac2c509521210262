import Platform

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
