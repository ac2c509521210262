/// The error for a string that is not a valid name, path or signature of the kind it was used as.
public struct InvalidName: Error, Sendable, Hashable {
  /// The kinds of names.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case interface = "interface"
    case member = "member"
    case busName = "bus name"
    case errorName = "error name"
    case objectPath = "object path"
    case pathElement = "path element"
    case signature = "signature"
  }

  /// The invalid string, which may contain anything.
  public let name: String
  /// The kind of name that it was used as.
  public let kind: Kind

  /// Creates an error that says that `name` is not a valid `kind`.
  public init(_ name: String, as kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

extension InvalidName: CustomStringConvertible {
  /// The error on one line, safe to log: at most 80 characters of the name, with unprintable ones escaped.
  public var description: String {
    var shown = ""
    for scalar in name.unicodeScalars.prefix(80) { shown += scalar.escaped(asASCII: true) }
    if name.unicodeScalars.count > 80 { shown += "…" }
    return "\"\(shown)\" is not a valid \(kind.rawValue)"
  }
}
