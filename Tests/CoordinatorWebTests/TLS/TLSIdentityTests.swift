import Testing

@testable import TLS

@Suite("Certificates", .timeLimit(.minutes(5)))
struct TLSIdentityTests {
  private static let week = 7 * 24 * 60 * 60

  @Test("A generated certificate is valid for its names and addresses for less than 398 days")
  func generatedCertificateIsValidForItsNames() throws {
    let identity = try TLSIdentity.generate(
      named: "coordinator-web", for: [.address("192.0.2.7"), .address("2001:db8::7"), .name("kiosk.local")])
    #expect(identity.isValid(for: [.address("192.0.2.7"), .address("2001:db8::7"), .name("kiosk.local")], another: Self.week))
    #expect(!identity.isValid(for: [.address("192.0.2.8")], another: Self.week))
    #expect(!identity.isValid(for: [.name("other.local")], another: Self.week))
    #expect(identity.isValid(for: [], another: 360 * 24 * 60 * 60))
    #expect(!identity.isValid(for: [], another: 398 * 24 * 60 * 60))
  }

  @Test("The fingerprint has 32 bytes, and each certificate its own")
  func fingerprintsDiffer() throws {
    let first = try TLSContext(.generate(named: "a", for: [.name("a")])).fingerprint
    let second = try TLSContext(.generate(named: "a", for: [.name("a")])).fingerprint
    #expect(first != second)
    #expect(first.description.split(separator: ":").count == 32)
  }

  @Test("Names that would add something to the certificate are refused", arguments: ["", "a,DNS:b", "a b", "a\nb", "é"])
  func strangeNamesAreRefused(name: String) {
    #expect(throws: TLSFailure.self) { try TLSIdentity.generate(named: "a", for: [.name(name)]) }
    #expect(throws: TLSFailure.self) { try TLSIdentity.generate(named: "a", for: [.address(name)]) }
  }

  @Test("What is no certificate, no key, or the key of another certificate, is refused with a reason")
  func unusableFilesAreRefused() throws {
    let own = try TLSIdentity.generate(named: "a", for: [.name("a")])
    let other = try TLSIdentity.generate(named: "a", for: [.name("a")])
    for identity in [
      TLSIdentity(certificates: "", key: own.key), TLSIdentity(certificates: own.certificates, key: ""),
      TLSIdentity(certificates: own.certificates, key: other.key), TLSIdentity(certificates: own.key, key: own.key),
      TLSIdentity(certificates: own.certificates, key: own.certificates),
    ] {
      #expect(throws: TLSFailure.self) { try TLSContext(identity) }
      #expect(!TLSIdentity(certificates: "", key: "").isValid(for: [], another: 0))
    }
    // A chain: each further certificate is that of the authority of the previous one.
    _ = try TLSContext(TLSIdentity(certificates: own.certificates + other.certificates, key: own.key))
    // Both in one text, as the server itself stores them.
    let both = own.certificates + own.key
    _ = try TLSContext(TLSIdentity(certificates: both, key: both))
  }
}
