/// A text that is not the name, path or signature it was given as.
public struct InvalidName: Error, Sendable, Hashable {
  /// What a text can be meant to be.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case interface = "interface"
    case member = "member"
    case busName = "bus name"
    case errorName = "error name"
    case objectPath = "object path"
    case pathElement = "path element"
    case signature = "signature"
  }

  /// The text itself, which may hold anything.
  public let name: String
  /// What it was meant to be.
  public let kind: Kind

  /// Says that `name` is no valid `kind`.
  public init(_ name: String, as kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

extension InvalidName: CustomStringConvertible {
  /// One line, safe to log: at most 80 characters of the name, what does not print escaped.
  public var description: String {
    var shown = ""
    for scalar in name.unicodeScalars.prefix(80) { shown += scalar.escaped(asASCII: true) }
    if name.unicodeScalars.count > 80 { shown += "…" }
    return "\"\(shown)\" is not a valid \(kind.rawValue)"
  }
}
