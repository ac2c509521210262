import Platform

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
