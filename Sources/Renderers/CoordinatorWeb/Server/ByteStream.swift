import FlyingSocks
import TLS

import struct FoundationEssentials.Data

/// The bytes of a connection, with or without TLS.
protocol ByteStream: Sendable {
  /// Prepares the stream for reading.
  ///
  /// - Throws: `RequestFault` if the client must receive the reason; another error if it cannot.
  func open() async throws
  /// Returns the next bytes, at least one and at most as many as given. Throws if there will be none.
  func read(atMost count: Int) async throws -> [UInt8]
  /// Sends bytes. Only one task at a time may send.
  func write(_ bytes: [UInt8]) async throws
  /// Announces that nothing more will be sent.
  func finish() async throws
}

/// The bytes of a connection without TLS.
struct PlainStream: ByteStream {
  let socket: AsyncSocket

  func open() async throws {}
  func read(atMost count: Int) async throws -> [UInt8] { try await socket.read(atMost: count) }
  func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }
  func finish() async throws {}
}
