import Glibc
import TLS

/// The file in which a server keeps the certificate that it has generated, so that a browser that trusts it goes on doing
/// so. Its mode is 0600.
struct CertificateStore: Sendable {
  /// The error of the store.
  struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
  }

  /// The directory of the file.
  let directory: String

  /// A certificate is replaced when it is valid for less than a week.
  private static let leastValidity = 7 * 24 * 60 * 60
  private static let largestFile = 64 * 1024

  private var path: String { directory + "/certificate.pem" }

  /// Returns the certificate for the names, generates it if there is none, and replaces it if it is not valid for them
  /// or not for long.
  ///
  /// - Parameters:
  ///   - name: name of the certificate's holder.
  ///   - subjects: names and addresses that it must be valid for.
  /// - Returns: the certificate and its key.
  /// - Throws: ``Failure``.
  func identity(named name: String, for subjects: [TLSIdentity.Subject]) throws(Failure) -> TLSIdentity {
    if let stored, stored.isValid(for: subjects, another: Self.leastValidity) { return stored }
    do {
      let identity = try TLSIdentity.generate(named: name, for: subjects)
      try write(identity)
      return identity
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// The certificate and the key in the file; nil if it does not exist or does not belong to this user alone.
  private var stored: TLSIdentity? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, status.st_size <= Self.largestFile
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard read(descriptor, &bytes, bytes.count) == bytes.count else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return TLSIdentity(certificates: text, key: text)
  }

  /// Replaces the file as a whole, so that no other server reads half of it.
  private func write(_ identity: TLSIdentity) throws(Failure) {
    try makeDirectory()
    let temporary = "\(path).\(Token().text)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("cannot write to '\(directory)'") }
    let bytes = Array((identity.certificates + identity.key).utf8)
    let count = Glibc.write(descriptor, bytes, bytes.count)
    let isWritten = count == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(temporary, path) == 0 else {
      let failure = Failure.last("cannot write '\(path)'")
      unlink(temporary)
      throw failure
    }
  }

  private func makeDirectory() throws(Failure) {
    var path = ""
    for name in directory.split(separator: "/") {
      path += "/" + name
      guard mkdir(path, 0o700) != 0, errno != EEXIST, access(path, F_OK) != 0 else { continue }
      throw .last("cannot create '\(path)'")
    }
  }
}

extension CertificateStore.Failure {
  /// Creates an error with the reason of the last call that failed.
  fileprivate static func last(_ what: String) -> Self { Self(description: "\(what): \(String(cString: strerror(errno)))") }
}
