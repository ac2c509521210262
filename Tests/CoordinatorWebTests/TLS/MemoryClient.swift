import COpenSSL

@testable import TLS

/// A TLS client that communicates with a session in memory.
final class MemoryClient {
  private let context: OpaquePointer
  let ssl: OpaquePointer

  init?(highest: Int32 = 0, protocols: [UInt8] = Array("\u{8}http/1.1".utf8)) {
    guard copenssl_load() == nil, let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context),
      let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
    else { return nil }
    self.context = context
    self.ssl = ssl
    SSL_set_bio(ssl, incoming, outgoing)
    SSL_set_connect_state(ssl)
    if highest != 0 { SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(highest), nil) }
    if !protocols.isEmpty { SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) }
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  /// The bytes that the client wants to send.
  var outgoing: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(SSL_get_wbio(ssl), &bytes, Int32(bytes.count))
    return Array(bytes.prefix(Int(max(count, 0))))
  }

  func receive(_ bytes: [UInt8]) { _ = BIO_write(SSL_get_rbio(ssl), bytes, Int32(bytes.count)) }

  /// Plays the handshake to its end.
  ///
  /// - Returns: whether the client has completed it.
  func shakeHands(with session: TLSSession) throws(TLSFailure) -> Bool {
    for _ in 0..<10 {
      let isDone = SSL_do_handshake(ssl) == 1
      ERR_clear_error()
      let sent = outgoing
      if !sent.isEmpty { try session.receive(sent) }
      receive(session.takeOutgoing())
      if isDone, session.isEstablished { return true }
    }
    return false
  }

  func send(_ text: String) { _ = SSL_write(ssl, Array(text.utf8), Int32(text.utf8.count)) }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = SSL_read(ssl, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
  }

  var fingerprint: CertificateFingerprint? {
    guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
    defer { X509_free(certificate) }
    return CertificateFingerprint(of: certificate)
  }
}
