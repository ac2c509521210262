import COpenSSL

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
