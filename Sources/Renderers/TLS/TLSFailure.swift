import COpenSSL

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
