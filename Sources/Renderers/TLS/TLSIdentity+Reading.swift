import COpenSSL

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
