import Platform
import RendererKit

/// Parses one HTTP/1.x request from the bytes of a connection, and rejects everything that two parsers could read differently.
///
/// Where RFC 9112 permits lenient parsing, this parser refuses: lines that end with a bare LF, folded header fields, white
/// space before a colon, two lengths, any transfer coding. Bytes after the first request of a connection are never parsed.
public struct RequestParser: Sendable {
  private let limits: RequestLimits
  private var bytes: [UInt8] = []
  private var head: (request: HTTPRequest, length: Int, end: Int)?
  private var searched = 0

  /// Creates a parser.
  public init(limits: RequestLimits = RequestLimits()) {
    self.limits = limits
  }

  /// Parses the next bytes.
  ///
  /// - Parameter more: received bytes.
  /// - Returns: the request once it is complete; nil if more bytes are needed.
  /// - Throws: ``RequestFault`` as soon as the request is known to be unacceptable.
  public mutating func take(_ more: some Sequence<UInt8>) throws(RequestFault) -> HTTPRequest? {
    bytes += more
    if head == nil { try takeHead() }
    guard let head, bytes.count - head.end >= head.length else { return nil }
    var request = head.request
    request.body = Array(bytes[head.end..<(head.end + head.length)])
    return request
  }

  private mutating func takeHead() throws(RequestFault) {
    guard let end = endOfHead() else {
      if bytes.firstIndex(of: .lineFeed) == nil, bytes.count > limits.line { throw Self.lineTooLong }
      if bytes.count > limits.head { throw Self.headTooLarge }
      return
    }
    guard end <= limits.head else { throw Self.headTooLarge }
    let lines = try Self.lines(bytes[..<(end - 4)])
    guard lines[0].count <= limits.line else { throw Self.lineTooLong }
    guard lines.count - 1 <= limits.fields else { throw RequestFault(.headersTooLarge, "too many header fields") }
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let (name, value) = try Self.field(line)
      headers.add(name, value)
    }
    var request = try RequestLine.read(lines[0])
    request.headers = headers
    guard headers.all("host").count == 1 else { throw RequestFault(.badRequest, "exactly one Host is required") }
    head = (request, try length(of: request), end)
  }

  /// Returns the offset of the body; nil if the head is incomplete.
  private mutating func endOfHead() -> Int? {
    let mark: [UInt8] = [.carriageReturn, .lineFeed, .carriageReturn, .lineFeed]
    var index = max(searched - 3, 0)
    while index + 4 <= bytes.count {
      if bytes[index..<(index + 4)].elementsEqual(mark) { return index + 4 }
      index += 1
    }
    searched = bytes.count
    return nil
  }

  private func length(of request: HTTPRequest) throws(RequestFault) -> Int {
    let lengths = request.headers.all("content-length")
    guard request.headers.all("transfer-encoding").isEmpty else {
      throw lengths.isEmpty
        ? RequestFault(.notImplemented, "transfer codings are not supported")
        : RequestFault(.badRequest, "Content-Length and Transfer-Encoding are mutually exclusive")
    }
    guard lengths.count <= 1 else { throw RequestFault(.badRequest, "only one Content-Length is allowed") }
    guard let text = lengths.first else {
      if request.method == .post { throw RequestFault(.lengthRequired, "Content-Length is required") }
      return 0
    }
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw RequestFault(.badRequest, "Content-Length is not a number")
    }
    guard let length = Int(text), length <= limits.body else { throw RequestFault(.contentTooLarge, "the body is too large") }
    return length
  }

  private static let headTooLarge = RequestFault(.headersTooLarge, "the header fields are too long")
  private static let lineTooLong = RequestFault(.targetTooLong, "the address is too long")

  /// Splits a head into its lines, each ended by CR LF, and rejects control characters other than tabs.
  private static func lines(_ head: ArraySlice<UInt8>) throws(RequestFault) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = head
    while let feed = rest.firstIndex(of: .lineFeed) {
      guard feed > rest.startIndex, rest[feed - 1] == .carriageReturn else {
        throw RequestFault(.badRequest, "a line ends without CR LF")
      }
      lines.append(rest[..<(feed - 1)])
      rest = rest[(feed + 1)...]
    }
    lines.append(rest)
    guard lines.allSatisfy({ $0.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == .tab } }) else {
      throw RequestFault(.badRequest, "the head contains a control character")
    }
    return lines
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(RequestFault) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isToken), let name = String(validating: line[..<colon], as: UTF8.self)
    else { throw RequestFault(.badRequest, "a header field has an invalid name") }
    guard let value = String(validating: line[(colon + 1)...].trimmingSpace, as: UTF8.self) else {
      throw RequestFault(.badRequest, "a header field is not UTF-8")
    }
    return (name, value)
  }
}

/// The size limits of a request.
public struct RequestLimits: Sendable, Hashable {
  /// The maximum length of the request line, in bytes.
  public var line = 4 * 1024
  /// The maximum length of the request line and all header fields, in bytes.
  public var head = 16 * 1024
  /// The maximum number of header fields.
  public var fields = 64
  /// The maximum length of the body, in bytes.
  public var body = 256 * 1024

  /// Creates the default limits.
  public init() {}
}

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Whether the byte is allowed in a `token` (RFC 9110, section 5.6.2), such as a method or the name of a header
  /// field.
  var isToken: Bool { isASCIIDigit || isASCIILetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension ArraySlice<UInt8> {
  /// The slice without leading and trailing spaces and tabs.
  var trimmingSpace: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == .space || first == .tab { rest.removeFirst() }
    while let last = rest.last, last == .space || last == .tab { rest.removeLast() }
    return rest
  }
}

/// Parses the request line, such as `GET /flows/pets_1 HTTP/1.1`.
enum RequestLine {
  /// Parses the line into a request without header fields.
  static func read(_ line: ArraySlice<UInt8>) throws(RequestFault) -> HTTPRequest {
    let parts = line.split(separator: .space, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isToken) else {
      throw RequestFault(.badRequest, "the request line is malformed")
    }
    guard let version = String(validating: parts[2], as: UTF8.self), version.bytes.hasPrefix("HTTP/") else {
      throw RequestFault(.badRequest, "the request line is malformed")
    }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw RequestFault(.versionNotSupported, "only HTTP/1.1 is supported")
    }
    guard let method = String(validating: parts[0], as: UTF8.self).flatMap(HTTPRequest.Method.init) else {
      throw RequestFault(.notImplemented, "only GET, HEAD and POST are supported")
    }
    let pieces = parts[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let query = pieces.count == 2 ? try FormBody(decoding: pieces[1]) : FormBody()
    return HTTPRequest(
      method: method, path: try path(pieces[0]),
      query: Dictionary(query.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Decodes a path once, and rejects ambiguous ones.
  private static func path(_ text: ArraySlice<UInt8>) throws(RequestFault) -> [String] {
    guard text.first == UInt8(ascii: "/"), !text.contains(UInt8(ascii: "#")) else {
      throw RequestFault(.badRequest, "the target is not a path")
    }
    var path: [String] = []
    var segments = text.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if segments.last?.isEmpty == true { segments.removeLast() }
    for segment in segments {
      guard let decoded = PercentEncoding.decode(segment), let name = String(validating: decoded, as: UTF8.self) else {
        throw RequestFault(.badRequest, "the path is not encoded properly")
      }
      guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: \.isForbiddenInPath) else {
        throw RequestFault(.badRequest, "the path has an element that is not allowed")
      }
      path.append(name)
    }
    return path
  }
}

extension UInt8 {
  /// Whether the byte is forbidden in a path segment: a control character, a slash or a backslash.
  fileprivate var isForbiddenInPath: Bool {
    self < 0x20 || self == 0x7f || self == UInt8(ascii: "/") || self == UInt8(ascii: "\\")
  }
}
