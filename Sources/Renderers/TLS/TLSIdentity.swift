import COpenSSL

/// A certificate with its key, in the format PEM.
public struct TLSIdentity: Sendable, Hashable {
  /// The certificate, followed by those that lead to its authority.
  public var certificates: String
  /// The private key, without a passphrase.
  public var key: String

  /// Creates an identity from two texts in PEM. They are checked when a ``TLSContext`` is created.
  public init(certificates: String, key: String) {
    self.certificates = certificates
    self.key = key
  }

  /// Installs the identity in a context, and returns its fingerprint.
  func install(in context: OpaquePointer) throws(TLSFailure) -> CertificateFingerprint {
    let chain = PEMReader(certificates)
    guard let leaf = chain?.certificate() else { throw .recorded("the certificate is not in PEM format") }
    defer { X509_free(leaf) }
    guard SSL_CTX_use_certificate(context, leaf) == 1 else { throw .recorded("the certificate cannot be used") }
    while let next = chain?.certificate() {
      defer { X509_free(next) }
      guard copenssl_add_to_chain(context, next) == 1 else { throw .recorded("the certificate chain cannot be used") }
    }
    // Reading past the last certificate records an error.
    ERR_clear_error()
    guard let key = PEMReader(key)?.key() else {
      throw .recorded("the key is not in PEM format, or has a passphrase")
    }
    defer { EVP_PKEY_free(key) }
    guard SSL_CTX_use_PrivateKey(context, key) == 1 else {
      throw .recorded("the key does not belong to the certificate")
    }
    guard let fingerprint = CertificateFingerprint(of: leaf) else { throw .recorded("the certificate cannot be read") }
    return fingerprint
  }
}

/// Reads the parts of a text in PEM, one after the other.
final class PEMReader {
  private let bio: OpaquePointer

  /// Starts to read a text; nil if there is no memory.
  init?(_ text: String) {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    self.bio = bio
    let bytes = Array(text.utf8)
    _ = BIO_write(bio, bytes, Int32(clamping: bytes.count))
  }

  deinit { BIO_free(bio) }

  /// Returns the next certificate, which the caller frees; nil if there is none.
  func certificate() -> OpaquePointer? { PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) }

  /// Returns the private key, which the caller frees; nil if there is none, or if it is encrypted.
  func key() -> OpaquePointer? {
    // Without a closure for the passphrase, OpenSSL would ask on the terminal.
    PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
  }
}
