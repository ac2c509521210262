import Foundation
import Glibc

/// Sends bytes to a server and reads the answer until the server closes the connection. Can send bytes that HTTP libraries
/// refuse to send.
enum RawHTTP {
  enum Place: Sendable {
    case port(UInt16)
    case socket(String)
  }

  /// An answer, or the part of it that was received.
  struct Answer: Sendable {
    /// The status code; 0 if the server closed the connection without an answer.
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body = ""

    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
  }

  struct Failure: Error {
    let what: String
    let code: Int32
  }

  /// Connects to a server. Reads from the connection time out after 30 seconds.
  static func connect(_ place: Place) throws -> Int32 {
    let (domain, descriptor): (Int32, Int32) =
      switch place {
      case .port: (AF_INET, socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
      case .socket: (AF_UNIX, socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
      }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status: Int32
    switch place {
    case .port(let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(domain)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .socket(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(domain)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    guard status == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(what: "connect", code: code)
    }
    return descriptor
  }

  static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads to the end of the connection, on a dedicated thread, and closes it.
  static func answer(on descriptor: Int32) async -> Answer {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          guard count > 0 else { break }
          bytes += buffer[..<count]
        }
        close(descriptor)
        continuation.resume(returning: Answer(reading: String(decoding: bytes, as: UTF8.self)))
      }
    }
  }

  /// Sends a request and reads the answer.
  static func exchange(_ text: String, at place: Place) async throws -> Answer {
    let descriptor = try connect(place)
    write(text.utf8, to: descriptor)
    return await answer(on: descriptor)
  }

  static func get(_ path: String, host: String, _ headers: [String: String] = [:], at place: Place) async throws -> Answer {
    let fields = (["Host": host].merging(headers) { $1 }).map { "\($0.key): \($0.value)\r\n" }.joined()
    return try await exchange("GET \(path) HTTP/1.1\r\n\(fields)\r\n", at: place)
  }
}

extension RawHTTP.Answer {
  init(reading text: String) {
    let parts = text.components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    body = parts.dropFirst().joined(separator: "\r\n\r\n")
  }
}
