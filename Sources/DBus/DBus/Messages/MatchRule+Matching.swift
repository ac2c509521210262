extension MatchRule {
  /// Whether the bus would pass on `signal` by this rule. `destination` is not asked about: what has arrived had it right.
  ///
  /// - Parameters:
  ///   - signal: A signal received.
  ///   - owner: The unique name that owns `sender`, if that is a well-known name. Signals carry unique names only, so without the
  ///     owner a well-known `sender` is not compared, and a signal that another connection sent to us alone would pass.
  /// - Returns: Whether everything that the rule asks about is so.
  public func matches(_ signal: SignalMessage, senderOwner owner: String? = nil) -> Bool {
    guard type == nil || type == .signal else { return false }
    return senderMatches(signal.sender, owner: owner) && pathMatches(signal.path)
      && (interface == nil || interface == signal.interface) && (member == nil || member == signal.member)
      && argumentsMatch(signal.body)
  }

  private func senderMatches(_ actual: String, owner: String?) -> Bool {
    guard let sender, sender != actual else { return true }
    // The bus signs with its well-known name, and nobody else may own that one.
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
      guard body.indices.contains(index), case .string(expected) = body[index] else { return false }
    }
    for (index, expected) in argumentPaths {
      guard body.indices.contains(index), Self.pathArgument(body[index], matches: expected) else { return false }
    }
    if let arg0Namespace {
      guard case .string(let actual)? = body.first else { return false }
      guard actual == arg0Namespace || actual.utf8.starts(with: (arg0Namespace + ".").utf8) else { return false }
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
    return actual == expected || (expected.hasSuffix("/") && actual.utf8.starts(with: expected.utf8))
      || (actual.hasSuffix("/") && expected.utf8.starts(with: actual.utf8))
  }
}
