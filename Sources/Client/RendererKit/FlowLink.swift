import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform

/// A link that offers to start a flow with an input: `coordinator:kanji-detail?kanji=水`.
///
/// Links come from web pages and mail, so a link cannot name a file, an option or a program. It contains only the name of a
/// flow and strings. The author of the link is not the person who opens it, so no flow is started before that person has seen
/// what the link would start (``LinkOffer``).
public struct FlowLink: Sendable, Hashable {
  /// The URI scheme, without the colon.
  public static let scheme = "coordinator"
  /// The maximum length of a link, in bytes.
  public static let longest = 8192

  /// The name of the flow.
  public var flow: String
  /// The input of the flow: a string for each key, in the order of the link.
  public var input: [Assignment]

  /// The reason why a string is not a valid link.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The link is longer than ``FlowLink/longest``.
    case tooLong
    /// The link has another scheme, or none.
    case otherScheme
    /// The link contains a character that must be percent-encoded.
    case character(String)
    /// The link names no flow.
    case noFlow
    /// The link contains a `/` before the question mark, where only the name of a flow is allowed.
    case path
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not valid text.
    case encoding(String)
    /// A part of the query is not of the form `key=value`.
    case noKey(String)

    /// A one-line description of the error for users.
    public var description: String {
      switch self {
      case .tooLong: "it is longer than \(FlowLink.longest) bytes"
      case .otherScheme: "it does not begin with '\(FlowLink.scheme):'"
      case .character(let character): "it contains '\(character.printable)', which must be percent-encoded"
      case .noFlow: "it does not name a flow"
      case .path: "it contains a '/' before the '?', where only the name of a flow is allowed"
      case .encoding(let piece): "'\(piece.printable)' is not valid percent-encoded text"
      case .noKey(let piece): "'\(piece.printable)' is not of the form key=value"
      }
    }
  }

  /// Parses a link.
  ///
  /// - Parameter text: link of the form `coordinator:FLOW` or `coordinator:FLOW?KEY=VALUE&KEY=VALUE`. Characters
  ///   outside ASCII may be percent-encoded or not; a `+` is a plus sign.
  /// - Throws: ``Malformed``.
  public init(_ text: String) throws(Malformed) {
    guard text.utf8.count <= Self.longest else { throw .tooLong }
    guard let (scheme, rest) = text.bytes.cut(at: ":"), scheme.bytes.lowercased == Self.scheme else { throw .otherScheme }
    if let wrong = rest.unicodeScalars.first(where: { !$0.mayStandInLink }) { throw .character(String(wrong)) }
    let (name, query) = rest.bytes.cut(at: "?") ?? (rest, "")
    guard !name.isEmpty else { throw .noFlow }
    guard !name.bytes.contains("/") else { throw .path }
    flow = try Self.decode(name)
    input = []
    guard !query.isEmpty else { return }
    for piece in query.bytes.split(separator: "&", omittingEmptySubsequences: false) {
      guard let (key, value) = piece.bytes.cut(at: "="), !key.isEmpty else { throw .noKey(String(piece)) }
      let text = try Self.decode(value)
      input.append(Assignment(key: try Self.decode(key), source: .text(text)))
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
  /// Whether the scalar is allowed in the path or the query of a URI (RFC 3986), or is not ASCII (RFC 3987).
  fileprivate var mayStandInLink: Bool {
    guard isASCII else { return properties.generalCategory != .control && properties.generalCategory != .lineSeparator }
    return UInt8(ascii: self).isUnreserved || "!$&'()*+,;=:@/?%".unicodeScalars.contains(self)
  }
}

/// The checked effect of a link, for the person who decides whether to start it.
public struct LinkOffer: Sendable, Hashable {
  /// The flow.
  public let flow: FlowListing
  /// Its input, with the types of the flow's schema.
  public let input: [String: JSONValue]

  /// Returns a value on one line; invisible characters are escaped as in JSON.
  private static func shown(_ value: JSONValue) -> String {
    let text = value.plainText
    return (text.printable.bytes.equals(text) ? text : value.canonicalText).printable
  }

  /// The offer for people: the flow, and each value of its input, one on each line. Secrets are dots.
  package var lines: [String] {
    let fields = flow.input?.fields ?? []
    let secrets = flow.input?.secretFields ?? []
    let titles = Dictionary(fields.map { ($0.name, $0.schema.title ?? $0.name) }, uniquingKeysWith: { first, _ in first })
    let order = fields.map(\.name).filter { input[$0] != nil } + input.keys.filter { titles[$0] == nil }.sorted()
    let heading = flow.title.isEmpty ? flow.name : "\(flow.title) (\(flow.name))"
    return ["a link asks to start a flow:", "  \(heading.printable)"]
      + order.map { name in
        let value = secrets.contains(name) ? "•••" : input[name].map(Self.shown) ?? ""
        return "    \((titles[name] ?? name).printable): \(value)"
      }
  }
}

extension ToolSession {
  /// Checks the effect of a link. Starts nothing.
  ///
  /// - Parameter text: link that was opened.
  /// - Returns: the offer.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if there is no such flow, or if it does not accept the input.
  package func offer(ofLink text: String) async throws(ToolFailure) -> LinkOffer {
    let link: FlowLink
    do {
      link = try FlowLink(text)
    } catch {
      throw ToolFailure(
        ["cannot open this link: \(error)", "  a link has the form: \(FlowLink.scheme):FLOW?key=value&key=value"], exit: .usage)
    }
    let (flows, reason) = try await flows(including: link.flow)
    guard let flow = flows.first(where: { $0.name == link.flow }) else {
      throw .noFlow(link.flow, reason, among: flows)
    }
    let input = try object(link.input, flow.input)
    let reasons = flow.input?.check(input) ?? [:]
    guard reasons.isEmpty else { throw ToolFailure(.refused(.invalidInput(reasons))) }
    return LinkOffer(flow: flow, input: input)
  }
}
