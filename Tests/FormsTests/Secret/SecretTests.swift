import Testing

@testable import Forms

@Suite("Rule 8: Secrets", .timeLimit(.minutes(5)))
struct SecretTests {
  @Test("Rule 8: A secret prints as dots, however it is printed and however long it is")
  func secretPrintsAsDots() {
    for text in ["", "x", "open-sesame, and more than fits a small string"] {
      let secret = Secret(text)
      var dumped = ""
      dump(["key": secret], to: &dumped)
      #expect("\(secret)" == "••••••")
      #expect(String(reflecting: secret) == "••••••")
      #expect(String(describing: Optional(secret)) == "Optional(••••••)")
      #expect(text.isEmpty || !dumped.contains(text))
      #expect(dumped.contains("••••••"))
      #expect(Mirror(reflecting: secret).children.isEmpty)
    }
  }

  @Test("Rule 8: A secret cannot be encoded, decoded, or compared")
  func secretCannotBeEncodedOrCompared() {
    let type: any Any.Type = Secret.self
    #expect(!(type is any Encodable.Type))
    #expect(!(type is any Decodable.Type))
    #expect(!(type is any Equatable.Type))
  }

  @Test("Rule 8: A secret lends its contents as bytes, as a C string, and as a string")
  func secretLendsItsBytes() {
    let secret = Secret("pässword")
    #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("pässword".utf8))
    #expect(secret.withCString { String(cString: $0) } == "pässword")
    #expect(secret.withString { $0 } == "pässword")
    #expect(Secret(bytes: [0x61, 0xFF]).withString { $0 } == "a\u{FFFD}")
  }

  @Test("Rule 8: An empty secret can be lent too")
  func emptySecretCanBeLent() {
    let secret = Secret("")
    #expect(secret.withBytes { $0.count } == 0)
    #expect(secret.withCString { $0.pointee } == 0)
    #expect(secret.withString { $0 } == "")
    #expect(!secret.isWiped)
  }

  @Test("Rule 8: A wiped secret has no bytes")
  func wipedSecretHasNoBytes() {
    let secret = Secret("password")
    secret.wipe()
    secret.wipe()
    #expect(secret.isWiped)
    #expect(secret.withBytes { $0.count } == 0)
    #expect(secret.withCString { $0.pointee } == 0)
    #expect(secret.withString { $0 } == "")
  }

  @Test("Rule 8: A secret that is wiped during a read stays readable until the read ends")
  func secretWipedWhileReadStaysReadable() {
    let secret = Secret("password")
    let seen = secret.withBytes { bytes in
      secret.wipe()
      #expect(secret.withBytes { $0.count } == 0)
      return bytes.indices.map { bytes[$0] }
    }
    #expect(seen == Array("password".utf8))
    #expect(secret.withBytes { $0.count } == 0)
  }

  @Test("Rule 8: The bytes of a secret are overwritten when the last reader is done")
  func secretIsOverwrittenAfterLastReader() {
    var memory = SecretMemory(copying: [1, 2, 3])
    let lent = memory.lend()
    let lentAgain = memory.lend(terminated: true)
    memory.wipe()
    memory.takeBack()
    #expect(Array(lent) == [1, 2, 3])
    #expect(Array(lentAgain) == [1, 2, 3, 0])
    memory.takeBack()
    #expect(Array(lentAgain) == [0, 0, 0, 0])
  }

  @Test("Rule 8: A secret rethrows its reader's error and can be wiped afterwards")
  func readersErrorIsRethrown() {
    struct Failure: Error {}
    let secret = Secret("password")
    #expect(throws: Failure.self) { try secret.withBytes { _ throws(Failure) in throw Failure() } }
    #expect(throws: Failure.self) { try secret.withString { _ throws(Failure) in throw Failure() } }
    secret.wipe()
    #expect(secret.withBytes { $0.count } == 0)
  }

  @Test("Rule 8: Concurrent readers see a secret completely or not at all while it is wiped")
  func concurrentReadersSeeAllOrNothing() async {
    let text = String(repeating: "s", count: 1_000)
    for _ in 0..<50 {
      let secret = Secret(text)
      await withTaskGroup(of: String.self) { group in
        for _ in 0..<4 { group.addTask { secret.withString { $0 } } }
        group.addTask {
          secret.wipe()
          return ""
        }
        for await seen in group { #expect(seen == "" || seen == text) }
      }
    }
  }
}
