import COpenSSL
import Platform

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
