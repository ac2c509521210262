import CoordinatorKit
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("are the same for the same texts, and depend on where one ends and the next begins")
  func boundaries() {
    #expect(Digest(of: "ab", "c") == Digest(of: "ab", "c"))
    let others = [
      Digest(of: "a", "bc"), Digest(of: "abc"), Digest(of: "ab", "c", ""), Digest(of: "", "ab", "c"), Digest(of: "c", "ab"),
    ]
    #expect(!others.contains(Digest(of: "ab", "c")))
    #expect(Set(others).count == others.count)
  }

  @Test("differ for a hundred thousand texts that differ little")
  func spread() {
    let digests = Set((0..<100_000).map { Digest(of: "request-\($0)") })
    #expect(digests.count == 100_000)
  }

  @Test("are the first 128 bits of SHA-256 over the texts, each with a byte behind it that no text holds")
  func algorithm() throws {
    #expect(try StoredText.encode(Digest(of: "how-to-code", "{}")) == #"{"sha256":"1499a4f0906015fc6276486b5ae3c997"}"#)
  }

  @Test("that older versions have stored can be made again to compare, and are equal to none of today's")
  func older() throws {
    let old = try #require(Digest(stored: #"{"high":596557142685267287,"low":10413988685935102181}"#))
    #expect(old.kind == .fnv1a)
    #expect(old == Digest(of: ["how-to-code", "{}"], as: .fnv1a))
    #expect(old != Digest(of: ["how-to-code", "[]"], as: .fnv1a))
    #expect(old != Digest(of: "how-to-code", "{}"))
  }

  @Test("are read back from what a store has kept of them, and from nothing else")
  func stored() throws {
    let digests = [Digest(of: ""), Digest(of: "how-to-code", "{}"), Digest(of: "日本"), Digest(of: ["日本"], as: .fnv1a)]
    for digest in digests {
      let text = try StoredText.encode(digest)
      #expect(Digest(stored: text) == digest)
      #expect(try StoredText.decode(Digest.self, from: text) == digest)
    }
    let others = [
      "", "{}", "7", #"{"high":1,"low":2"#, #"{"high":1,"low":2}x"#, #"{"high":,"low":2}"#, #"{"high":-1,"low":2}"#,
      #"{"high":+1,"low":2}"#, #"{"low":1,"high":2}"#, #"{"high":1,"low":99999999999999999999}"#, #"{"sha256":""}"#,
      #"{"sha256":"1499a4f0906015fc6276486b5ae3c99"}"#, #"{"sha256":"1499a4f0906015fc6276486b5ae3c9970"}"#,
      #"{"sha256":"1499A4F0906015FC6276486B5AE3C997"}"#, #"{"sha256":"1499a4f0906015fc6276486b5ae3c997""#,
      #"{"sha256":"1499a4f0906015fc6276486b5ae3c99ü"}"#, #"{"sha256":7}"#,
    ]
    for text in others {
      #expect(Digest(stored: text) == nil, "\(text)")
      if text.hasPrefix(#"{"sha256"#) { #expect(throws: DecodingError.self) { try StoredText.decode(Digest.self, from: text) } }
    }
  }
}
