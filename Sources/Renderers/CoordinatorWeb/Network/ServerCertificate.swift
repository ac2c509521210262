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
