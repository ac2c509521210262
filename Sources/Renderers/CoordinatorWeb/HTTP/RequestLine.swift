import Platform
import RendererKit

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
