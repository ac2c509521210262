import Glibc
import Platform
import TLS

/// The file in which a server keeps its generated certificate, so that browsers that trust it continue to do so. Its mode is
/// 0600.
struct CertificateStore: Sendable {
  /// The error of the store.
  typealias Failure = PEMFile.Failure

  /// The directory of the file.
  let directory: String

  /// The minimum remaining validity of a kept certificate, in seconds: a week.
  private static let leastValidity = 7 * 24 * 60 * 60

  /// The file.
  var file: PEMFile { PEMFile(path: directory + "/certificate.pem") }

  /// Returns the certificate for the names. Generates it if there is none, and replaces it if it is not valid for the names or
  /// not for long enough, or if other users may have read its key. An existing file that cannot be used is left unchanged:
  /// users may trust its certificate, and an administrator may know the reason for its state.
  ///
  /// - Parameters:
  ///   - name: name of the certificate's holder.
  ///   - subjects: names and addresses that a new one is valid for.
  ///   - required: names and addresses that one from the file must be valid for. The fewer there are, the longer it is kept, so
  ///     that browsers and people continue to know it.
  /// - Returns: the certificate and its key.
  /// - Throws: ``Failure``.
  func identity(
    named name: String, for subjects: [TLSIdentity.Subject], required: [TLSIdentity.Subject]
  ) throws(Failure) -> TLSIdentity {
    if case .text(let text) = try file.own() {
      let stored = TLSIdentity(certificates: text, key: text)
      do throws(TLSFailure) {
        _ = try TLSContext(stored)
      } catch {
        throw Failure("'\(file.path)' cannot be used: \(error)")
      }
      if stored.isValid(for: required, another: Self.leastValidity) { return stored }
    }
    let identity: TLSIdentity
    do throws(TLSFailure) {
      identity = try TLSIdentity.generate(named: name, for: subjects)
    } catch {
      throw Failure(error.description)
    }
    try makeDirectory()
    try file.replace(with: identity.certificates + identity.key)
    return identity
  }

  private func makeDirectory() throws(Failure) {
    var path = ""
    for name in directory.bytes.split(separator: "/") {
      path += "/" + name
      guard mkdir(path, 0o700) != 0 else { continue }
      let number = errno
      guard number != EEXIST, access(path, F_OK) != 0 else { continue }
      throw Failure("cannot create '\(path)'", number)
    }
  }
}
