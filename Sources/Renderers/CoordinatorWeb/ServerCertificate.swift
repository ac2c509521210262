import Glibc
import Platform
import RendererKit
import TLS

/// The origin of a server's certificate, and the certificate that it uses. Safe to use from any thread.
public final class ServerCertificate: Sendable {
  /// The source of a certificate.
  public enum Origin: Sendable, Hashable {
    /// The server generates its own, which it keeps in a directory.
    case own(directory: String)
    /// Files in PEM format.
    case files(certificate: String, key: String)
  }

  /// The name of the holder of a generated certificate.
  private static let holder = "coordinator-web"

  private let origin: Origin
  private let loaded = Lock<TLSSource?>(nil)
  /// Held while a certificate is generated, so that two concurrent requests do not generate two.
  private let generating = Lock(())

  /// Creates a certificate that is loaded later.
  public init(_ origin: Origin) { self.origin = origin }

  /// Loads the certificate, or generates it.
  ///
  /// - Parameter names: addresses and names that a generated certificate is valid for.
  /// - Returns: the source for new connections.
  /// - Throws: ``ToolFailure`` if it cannot be read, generated or stored.
  func load(for names: NetworkNames) throws(ToolFailure) -> TLSSource {
    let source = TLSSource(try context(for: names))
    loaded.withLock { $0 = source }
    return source
  }

  /// Reads the files again. Existing connections keep their certificate, and so does the server if a file is unusable. Does
  /// nothing if the server generates its own certificate, or has not loaded any yet.
  ///
  /// - Throws: ``ToolFailure`` if a file cannot be read.
  public func reload() throws(ToolFailure) {
    guard case .files = origin, let source = loaded.withLock({ $0 }) else { return }
    source.replace(with: try context(for: NetworkNames(addresses: [], names: [])))
  }

  /// Replaces a generated certificate that is about to expire, or is not valid for the addresses that the server now shows.
  /// Existing connections keep theirs. Does nothing if the certificate comes from files, or none was loaded yet.
  ///
  /// - Parameter names: current addresses and names of this machine.
  /// - Throws: ``ToolFailure`` if it cannot be generated or stored; the server then keeps the previous one.
  func renew(for names: NetworkNames) throws(ToolFailure) {
    guard case .own = origin, let source = loaded.withLock({ $0 }) else { return }
    let new = try generating.withLock { _ in
      Result { () throws(ToolFailure) in try context(for: names) }
    }.get()
    if new.fingerprint != source.current.fingerprint { source.replace(with: new) }
  }

  private func context(for names: NetworkNames) throws(ToolFailure) -> TLSContext {
    switch origin {
    case .files(let certificate, let key):
      let identity = TLSIdentity(certificates: try read(certificate), key: try read(key))
      do throws(TLSFailure) {
        return try TLSContext(identity)
      } catch {
        throw ToolFailure(["the certificate cannot be used: \(error)", "It is in '\(certificate)', its key in '\(key)'."])
      }
    case .own(let directory):
      let addresses = names.addresses.map { TLSIdentity.Subject.address($0.text) }
      let hosts = names.names.map(TLSIdentity.Subject.name)
      let store = CertificateStore(directory: directory)
      do {
        // The first address is the one that is shown.
        return try TLSContext(
          try store.identity(named: Self.holder, for: addresses + hosts, required: addresses.prefix(1) + hosts))
      } catch {
        throw ToolFailure([
          "\(error)",
          "Mend '\(store.file.path)', or remove it: the server then generates a new certificate, which browsers warn of anew.",
          "To use a certificate from elsewhere, use --certificate and --key.",
        ])
      }
    }
  }

  private func read(_ path: String) throws(ToolFailure) -> String {
    do throws(PEMFile.Failure) {
      return try PEMFile(path: path).text()
    } catch {
      throw ToolFailure([error.description, "Let the user of coordinator-web read the file, in PEM format."])
    }
  }
}

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

/// A file with a certificate or a key.
struct PEMFile: Sendable {
  /// The error of reading or writing a file: the failed operation, and the reason.
  struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Creates an error with a description.
    init(_ description: String) { self.description = description }

    /// Creates an error with the reason of a failed call. The caller passes errno before it makes another call.
    init(_ what: String, _ number: Int32) { description = "\(what): \(String(cString: strerror(number)))" }
  }

  /// The content of a file that the server itself has written.
  enum Content: Sendable, Hashable {
    case text(String)
    /// The file does not exist.
    case missing
    /// Other users than the owner may have read it.
    case exposed
  }

  private static let largest = 64 * 1024

  let path: String

  /// Returns the text of a file that an administrator has provided.
  ///
  /// - Throws: ``Failure`` if it cannot be read.
  func text() throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure("cannot read '\(path)'", errno) }
    defer { close(descriptor) }
    // The file may also be a pipe.
    _ = try status(of: descriptor)
    return try text(of: descriptor)
  }

  /// Returns the content of a file that only the server itself writes.
  ///
  /// - Throws: ``Failure`` if the file exists but cannot be read, or is not such a file.
  func own() throws(Failure) -> Content {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return .missing }
      if errno == ELOOP { throw Failure("'\(path)' is a symbolic link") }
      throw Failure("cannot read '\(path)'", errno)
    }
    defer { close(descriptor) }
    let status = try status(of: descriptor)
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("'\(path)' is not a file") }
    guard status.st_uid == geteuid() else { throw Failure("'\(path)' belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { return .exposed }
    return .text(try text(of: descriptor))
  }

  /// Replaces the file atomically, so that no reader sees a part of it. Its mode is 0600.
  ///
  /// - Throws: ``Failure``. The file is then unchanged.
  func replace(with text: String) throws(Failure) {
    let temporary = "\(path).\(Token().text)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure("cannot write '\(temporary)'", errno) }
    let problem = Self.write(Array(text.utf8), to: descriptor)
    close(descriptor)
    if let number = problem ?? (rename(temporary, path) == 0 ? nil : errno) {
      unlink(temporary)
      throw Failure("cannot write '\(path)'", number)
    }
  }

  private func status(of descriptor: Int32) throws(Failure) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure("cannot read '\(path)'", errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure("'\(path)' is a directory") }
    return status
  }

  private func text(of descriptor: Int32) throws(Failure) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 {
        guard errno == EINTR else { throw Failure("cannot read '\(path)'", errno) }
        continue
      }
      bytes += buffer[..<count]
      guard bytes.count <= Self.largest else { throw Failure("'\(path)' is too large for a certificate") }
    }
  }

  /// Writes bytes to the disk.
  ///
  /// - Returns: the number of the error; nil if there is none.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    return fsync(descriptor) == 0 ? nil : errno
  }
}
