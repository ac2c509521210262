import COpenSSL

/// The certificate and the settings that a server offers to its clients: TLS 1.2 or later, with the protocol http/1.1.
/// Safe to use from any thread.
///
/// `@unchecked Sendable`, because the context is not changed after ``init(_:)``, and OpenSSL counts the references that
/// sessions of any thread take to it.
public final class TLSContext: @unchecked Sendable {
  /// The SHA-256 fingerprint of the certificate.
  public let fingerprint: CertificateFingerprint
  let pointer: OpaquePointer

  /// Creates a context.
  ///
  /// - Parameter identity: certificate, the certificates that lead to its authority, and its key.
  /// - Throws: ``TLSFailure`` if they cannot be read or do not belong together, or OpenSSL cannot be loaded.
  public init(_ identity: TLSIdentity) throws(TLSFailure) {
    try TLSFailure.requireOpenSSL()
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .recorded("TLS is not available") }
    do throws(TLSFailure) {
      guard copenssl_configure(context) == 1 else { throw .recorded("TLS 1.2 is not available") }
      fingerprint = try identity.install(in: context)
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    pointer = context
  }

  deinit { SSL_CTX_free(pointer) }
}
