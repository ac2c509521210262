@testable import CoordinatorWeb

/// Bytes of a browser's connection: a request, or a reason; the same in whatever pieces they come.
enum RequestTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    let whole = read([bytes[...]])
    let middle = bytes.count / 2
    precondition(read([bytes[..<middle], bytes[middle...]]) == whole, "another request, if it comes in two pieces")
    guard case .request(let request) = whole else { return 0 }
    precondition(request.headers.all("host").count == 1, "a request without a host, or with two")
    _ = request.headers.cookies
    _ = AcceptedLanguages(request.headers.all("accept-language"))
    guard let body = try? FormBody(decoding: request.body) else { return 0 }
    for pair in body.pairs { precondition(body.all(pair.name).contains(pair.value), "a value of the form is lost") }
    return 0
  }

  private enum Outcome: Equatable {
    case incomplete
    case request(HTTPRequest)
    case refused(HTTPStatus)
  }

  private static func read(_ pieces: [Slice<UnsafeBufferPointer<UInt8>>]) -> Outcome {
    var parser = RequestParser()
    for piece in pieces {
      do {
        if let request = try parser.take(piece) { return .request(request) }
      } catch {
        return .refused(error.status)
      }
    }
    return .incomplete
  }
}
