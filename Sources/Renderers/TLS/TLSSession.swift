import COpenSSL
import Platform

/// The server's side of one TLS connection: decrypts received bytes, and encrypts bytes to send. Does no I/O, and never blocks.
/// Safe to use from any thread.
///
/// `@unchecked Sendable`, because `ssl` is used only with the lock held.
public final class TLSSession: @unchecked Sendable {
  private struct State {
    /// The decrypted bytes that have not been taken yet.
    var plainText: [UInt8] = []
    /// The number of received bytes of the handshake.
    var handshakeSize = 0
    var isEstablished = false
    /// Whether the client will send nothing more.
    var isOver = false
  }

  /// The maximum size of a client's part of the handshake, in bytes. A usual one has less than 4 KiB.
  private static let largestHandshake = 64 * 1024
  /// The maximum size of the plain text of a record (RFC 8446, section 5.1).
  private static let largestRecord = 16_384

  private let ssl: OpaquePointer
  private let state = Lock(State())

  /// Creates the session of a new connection.
  ///
  /// - Parameter context: certificate and settings of the server.
  /// - Throws: ``TLSFailure`` if there is no memory.
  public init(_ context: TLSContext) throws(TLSFailure) {
    guard let ssl = SSL_new(context.pointer) else { throw .recorded("there is no memory") }
    guard copenssl_set_buffers(ssl) == 1 else {
      SSL_free(ssl)
      throw .recorded("there is no memory")
    }
    self.ssl = ssl
  }

  deinit { SSL_free(ssl) }

  /// Whether the handshake is complete.
  public var isEstablished: Bool { state.withLock { $0.isEstablished } }

  /// Whether the client will send nothing more.
  public var isOver: Bool { state.withLock { $0.isOver } }

  /// Processes received bytes. Afterwards there may be plain text to take, and bytes to send.
  ///
  /// - Throws: ``TLSFailure`` if the client violates the protocol; the bytes to send then contain an alert for the client.
  public func receive(_ bytes: [UInt8]) throws(TLSFailure) {
    let failure: TLSFailure? = state.withLock { state in
      ERR_clear_error()
      guard BIO_write(SSL_get_rbio(ssl), bytes, Int32(clamping: bytes.count)) == bytes.count else {
        return .recorded("there is no memory")
      }
      return advance(&state, by: bytes.count)
    }
    if let failure { throw failure }
  }

  /// Returns decrypted bytes, at most as many as given; none if there are none at the moment.
  public func takePlainText(atMost count: Int) -> [UInt8] {
    state.withLock { state in
      let taken = Array(state.plainText.prefix(count))
      state.plainText.removeFirst(taken.count)
      return taken
    }
  }

  /// Encrypts bytes, which must then be sent.
  ///
  /// - Throws: ``TLSFailure`` if the handshake is not complete, or the connection has failed.
  public func send(_ bytes: [UInt8]) throws(TLSFailure) {
    let failure: TLSFailure? = state.withLock { state in
      ERR_clear_error()
      guard state.isEstablished else { return TLSFailure("the handshake is not complete") }
      // The buffer accepts all bytes, so there are no partial writes.
      guard bytes.isEmpty || SSL_write(ssl, bytes, Int32(clamping: bytes.count)) == bytes.count else {
        return .recorded("the bytes cannot be encrypted")
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Creates the announcement that nothing more will be sent, which must then be sent itself.
  public func finish() {
    state.withLock { state in
      ERR_clear_error()
      if state.isEstablished { SSL_shutdown(ssl) }
      ERR_clear_error()
    }
  }

  /// Returns the bytes to send, each only once. They must be sent in the order of the calls.
  public func takeOutgoing() -> [UInt8] {
    state.withLock { _ in
      let outgoing = SSL_get_wbio(ssl)
      let count = copenssl_pending(outgoing)
      guard count > 0 else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = Int(max(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: count)), 0))
      }
    }
  }

  /// Completes the handshake as far as possible, and decrypts all received bytes.
  private func advance(_ state: inout State, by count: Int) -> TLSFailure? {
    if !state.isEstablished {
      state.handshakeSize += count
      guard state.handshakeSize <= Self.largestHandshake else { return TLSFailure("the handshake is too large") }
      let status = SSL_do_handshake(ssl)
      guard status == 1 else {
        return SSL_get_error(ssl, status) == SSL_ERROR_WANT_READ ? nil : .recorded("the handshake has failed")
      }
      state.isEstablished = true
    }
    var buffer = [UInt8](repeating: 0, count: Self.largestRecord)
    while true {
      let count = SSL_read(ssl, &buffer, Int32(buffer.count))
      if count > 0 {
        state.plainText += buffer[..<Int(count)]
        continue
      }
      switch SSL_get_error(ssl, count) {
      case SSL_ERROR_WANT_READ: return nil
      case SSL_ERROR_ZERO_RETURN:
        state.isOver = true
        return nil
      default: return .recorded("the connection has failed")
      }
    }
  }
}
