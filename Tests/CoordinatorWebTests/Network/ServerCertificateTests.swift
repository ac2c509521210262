import Foundation
import Platform
import TLS
import Testing

@testable import CoordinatorWeb

@Suite("The certificate that a server makes for itself", .timeLimit(.minutes(5)))
struct ServerCertificateTests {
  private func names(_ addresses: String...) -> NetworkNames {
    NetworkNames(addresses: addresses.compactMap { IPAddress($0) }, names: ["kiosk", "kiosk.local"])
  }

  private func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "certificate-" + Token().text
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  @Test("It is kept as long as it covers the address that is shown and the names, whatever other addresses come and go")
  func certificateIsKept() throws {
    try withDirectory { directory in
      func fingerprint(_ names: NetworkNames) throws -> String {
        try ServerCertificate(.own(directory: directory)).load(for: names).current.fingerprint.description
      }
      let first = try fingerprint(names("192.0.2.7", "2001:db8::1", "127.0.0.1"))
      #expect(try fingerprint(names("192.0.2.7", "2001:db8::2", "198.51.100.3", "127.0.0.1")) == first)
      // Without a network, only this machine can reach the server.
      #expect(try fingerprint(names("127.0.0.1")) == first)
      #expect(try fingerprint(names("192.0.2.8", "127.0.0.1")) != first)
    }
  }

  @Test("A running server gets another one when the address that is shown has changed, and only then")
  func certificateIsRenewed() throws {
    try withDirectory { directory in
      let certificate = ServerCertificate(.own(directory: directory))
      let source = try certificate.load(for: names("192.0.2.7"))
      let first = source.current.fingerprint
      try certificate.renew(for: names("192.0.2.7", "192.0.2.9"))
      #expect(source.current.fingerprint == first)
      try certificate.renew(for: names("192.0.2.8"))
      #expect(source.current.fingerprint != first)
    }
  }

  @Test("Requests that find at the same time that another one is needed get the same one")
  func oneCertificateIsMade() throws {
    try withDirectory { directory in
      let certificate = ServerCertificate(.own(directory: directory))
      let source = try certificate.load(for: names("192.0.2.7"))
      let first = source.current.fingerprint
      let found = Lock<Set<CertificateFingerprint>>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        try? certificate.renew(for: names("192.0.2.8"))
        found.withLock { _ = $0.insert(source.current.fingerprint) }
      }
      let made = found.withLock { $0 }
      #expect(made.count == 1 && !made.contains(first))
    }
  }
}
