/// A link that starts a flow with an input: `coordinator:kanji-detail?kanji=水`.
///
/// Links come from pages and from mail, so nothing in one names a file, an option or a program: it has the name of a flow, and texts.
public struct FlowLink: Sendable, Hashable {
  /// What all links begin with, before the colon.
  public static let scheme = "coordinator"
  /// The longest link that is read, in bytes.
  public static let longest = 8192

  /// The name of the flow.
  public var flow: String
  /// The flow's input: a text for each key, in the link's order.
  public var input: [Assignment]

  /// Why a text is no link.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is longer than ``FlowLink/longest``.
    case tooLong
    /// It begins with something else.
    case otherScheme
    /// It has a character in it that has to be written as `%XX`.
    case character(String)
    /// There is no name of a flow in it.
    case noFlow
    /// There is a `/` in front of the question mark: the name of a flow is all that stands there.
    case path
    /// A `%` without two hexadecimal digits, or bytes that are no text.
    case encoding(String)
    /// This piece is not of the form `key=value`.
    case noKey(String)

    /// One line for people.
    public var description: String {
      switch self {
      case .tooLong: "it is longer than \(FlowLink.longest) bytes"
      case .otherScheme: "it does not begin with '\(FlowLink.scheme):'"
      case .character(let character): "it has '\(character.printable)' in it, which has to be percent-encoded"
      case .noFlow: "it names no flow"
      case .path: "it has a '/' in front of the '?', where only the name of a flow stands"
      case .encoding(let piece): "'\(piece.printable)' is not text that was percent-encoded"
      case .noKey(let piece): "'\(piece.printable)' is not of the form key=value"
      }
    }
  }

  /// Reads a link.
  ///
  /// - Parameter text: `coordinator:FLOW` or `coordinator:FLOW?KEY=VALUE&KEY=VALUE`. What is not ASCII may stand in it as it is or
  ///   percent-encoded; a `+` is a plus.
  /// - Throws: `Malformed`.
  public init(_ text: String) throws(Malformed) {
    guard text.utf8.count <= Self.longest else { throw .tooLong }
    guard let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == Self.scheme else { throw .otherScheme }
    let rest = text[text.index(after: colon)...]
    if let wrong = rest.unicodeScalars.first(where: { !$0.mayStandInLink }) { throw .character(String(wrong)) }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty else { throw .noFlow }
    guard !name.contains("/") else { throw .path }
    flow = try Self.decode(name)
    input = []
    guard parts.count == 2, let query = parts.last, !query.isEmpty else { return }
    for piece in query.split(separator: "&", omittingEmptySubsequences: false) {
      guard let equals = piece.firstIndex(of: "="), equals > piece.startIndex else { throw .noKey(String(piece)) }
      let value = try Self.decode(piece[piece.index(after: equals)...])
      input.append(Assignment(key: try Self.decode(piece[..<equals]), source: .text(value)))
    }
  }

  private static func decode(_ piece: Substring) throws(Malformed) -> String {
    guard let bytes = PercentEncoding.decode(piece.utf8), let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" })
    else { throw .encoding(String(piece)) }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether it is one of the characters of which a URI's path and query are made (RFC 3986), or is not ASCII (RFC 3987).
  fileprivate var mayStandInLink: Bool {
    guard isASCII else { return properties.generalCategory != .control && properties.generalCategory != .lineSeparator }
    return UInt8(ascii: self).isUnreserved || "!$&'()*+,;=:@/?%".unicodeScalars.contains(self)
  }
}
