import COpenSSL
import Platform

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

extension TLSIdentity {
  /// Returns whether the certificate is valid for all subjects, and for some more time. A certificate that cannot be read is
  /// not, nor is any if OpenSSL cannot be loaded.
  ///
  /// - Parameters:
  ///   - subjects: names and addresses.
  ///   - time: remaining time in seconds for which it must be valid.
  /// - Returns: whether it is valid.
  public func isValid(for subjects: [Subject], another time: Int) -> Bool {
    guard (try? TLSFailure.requireOpenSSL()) != nil else { return false }
    guard let certificate = PEMReader(certificates)?.certificate() else {
      ERR_clear_error()
      return false
    }
    defer { X509_free(certificate) }
    guard copenssl_is_valid(certificate, time) == 1 else { return false }
    return subjects.allSatisfy { subject in
      switch subject {
      case .name(let text): X509_check_host(certificate, text, text.utf8.count, 0, nil) == 1
      case .address(let text): X509_check_ip_asc(certificate, text, 0) == 1
      }
    }
  }
}

/// The error of an operation of TLS.
public struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A one-line description for administrators.
  public let description: String

  /// Creates an error with a description.
  init(_ description: String) { self.description = description }

  /// Ensures that OpenSSL is loaded, before any of its functions is called.
  ///
  /// - Throws: ``TLSFailure`` if it is not installed.
  static func requireOpenSSL() throws(TLSFailure) {
    guard let reason = copenssl_load() else { return }
    throw TLSFailure("TLS is not available, because OpenSSL 3 cannot be loaded: \(String(cString: reason))")
  }

  /// Creates an error with the reason that OpenSSL has recorded for this thread, and clears its records.
  static func recorded(_ what: String) -> TLSFailure {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let reason = ERR_reason_error_string(code) else { return TLSFailure(what) }
    return TLSFailure("\(what): \(String(cString: reason))")
  }
}

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

/// The SHA-256 fingerprint of a certificate, which browsers show as well.
public struct CertificateFingerprint: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  let bytes: [UInt8]

  init?(of certificate: OpaquePointer) {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard X509_digest(certificate, EVP_sha256(), &bytes, &count) == 1 else { return nil }
    self.bytes = Array(bytes.prefix(Int(count)))
  }

  /// The bytes in hexadecimal, with colons between them.
  public var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}

extension TLSIdentity {
  /// A name or an address that a certificate is valid for.
  public enum Subject: Sendable, Hashable {
    /// A host name, of letters, digits, hyphens and dots.
    case name(String)
    /// An IPv4 or IPv6 address.
    case address(String)
  }

  /// The validity of a generated certificate, in seconds. Browsers refuse more than 398 days.
  private static let validity = 365 * 24 * 60 * 60
  /// The time before now at which the validity of a generated certificate begins, in seconds, for phones whose clock is slow.
  private static let tolerance = 24 * 60 * 60

  /// Generates an ECDSA key on the curve P-256 and a self-signed certificate, valid for a year.
  ///
  /// - Parameters:
  ///   - name: name of the certificate's holder, which browsers show.
  ///   - subjects: subjects that the certificate is valid for.
  /// - Returns: the identity.
  /// - Throws: ``TLSFailure`` if a subject is malformed, or OpenSSL fails or cannot be loaded.
  public static func generate(named name: String, for subjects: [Subject]) throws(TLSFailure) -> TLSIdentity {
    try TLSFailure.requireOpenSSL()
    ERR_clear_error()
    guard let key = copenssl_new_key() else { throw .recorded("no key can be generated") }
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { throw .recorded("no certificate can be generated") }
    defer { X509_free(certificate) }
    let failure = "no certificate can be generated"
    // A serial number that browsers have not seen: they refuse two certificates with the same one.
    guard X509_set_version(certificate, Int(X509_VERSION_3)) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...UInt64(Int64.max))) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), -tolerance) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), validity - tolerance) != nil,
      X509_set_pubkey(certificate, key) == 1, let holder = X509_get_subject_name(certificate),
      copenssl_set_name(holder, name) == 1,
      X509_set_issuer_name(certificate, holder) == 1
    else { throw .recorded(failure) }
    for (kind, value) in [
      (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
      (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, try list(subjects)),
    ] {
      guard copenssl_add_extension(certificate, kind, value) == 1 else { throw .recorded(failure) }
    }
    guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw .recorded(failure) }
    let certificates = try pem { PEM_write_bio_X509($0, certificate) }
    return TLSIdentity(
      certificates: certificates, key: try pem { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) })
  }

  /// Returns the subjects in OpenSSL's notation, in which a comma would begin another one.
  private static func list(_ subjects: [Subject]) throws(TLSFailure) -> String {
    var parts: [String] = []
    for subject in subjects {
      let (kind, text, others) =
        switch subject {
        case .name(let text): ("DNS", text, "-.")
        case .address(let text): ("IP", text, ".:")
        }
      guard !text.isEmpty, text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || others.utf8.contains($0) }) else {
        throw TLSFailure("no certificate can be generated for '\(text)'")
      }
      parts.append("\(kind):\(text)")
    }
    return parts.joined(separator: ",")
  }

  private static func pem(_ write: (OpaquePointer) -> Int32) throws(TLSFailure) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw .recorded("there is no memory") }
    defer { BIO_free(bio) }
    var bytes: UnsafeMutablePointer<CChar>?
    guard write(bio) == 1, case let count = copenssl_content(bio, &bytes), count > 0, let bytes else {
      throw .recorded("the certificate cannot be written")
    }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
    return String(decoding: buffer, as: UTF8.self)
  }
}
