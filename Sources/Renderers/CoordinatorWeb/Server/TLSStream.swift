import FlyingSocks
import TLS

import struct FoundationEssentials.Data

/// The bytes of a connection inside of TLS.
///
/// After the handshake, only ``write(_:)`` and ``finish()`` write to the socket, so records are sent in the order in which they
/// were made. Messages of TLS itself are sent with the next bytes.
struct TLSStream: ByteStream {
  let socket: AsyncSocket
  let session: TLSSession
  /// Raised if the client does not use TLS, and must receive a response in plain text.
  private let isPlain = Flag()

  init(socket: AsyncSocket, session: TLSSession) {
    self.socket = socket
    self.session = session
  }

  /// The first byte of every TLS connection: the type of a handshake record (RFC 8446, section 5.1).
  private static let handshake: UInt8 = 22

  func open() async throws {
    var isFirst = true
    while !session.isEstablished {
      let bytes = try await socket.read(atMost: 4096)
      if isFirst, bytes.first?.isUppercaseLetter == true {
        isPlain.raise()
        throw RequestFault(.badRequest, "these pages are encrypted: the address begins with https://")
      }
      guard !isFirst || bytes.first == Self.handshake else { throw SocketError.disconnected }
      isFirst = false
      do {
        try session.receive(bytes)
      } catch {
        // Sends the reason to the client, as far as the protocol allows.
        try await send()
        throw error
      }
      try await send()
    }
  }

  func read(atMost count: Int) async throws -> [UInt8] {
    guard !isPlain.isRaised else { return try await socket.read(atMost: count) }
    while true {
      let bytes = session.takePlainText(atMost: count)
      guard bytes.isEmpty else { return bytes }
      guard !session.isOver else { throw SocketError.disconnected }
      try session.receive(try await socket.read(atMost: 4096))
    }
  }

  func write(_ bytes: [UInt8]) async throws {
    guard !isPlain.isRaised else { return try await socket.write(Data(bytes)) }
    try session.send(bytes)
    try await send()
  }

  func finish() async throws {
    session.finish()
    try await send()
  }

  private func send() async throws {
    let bytes = session.takeOutgoing()
    if !bytes.isEmpty { try await socket.write(Data(bytes)) }
  }
}

extension UInt8 {
  fileprivate var isUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
