import CoordinatorKit
import Testing

@Suite("Digests of strings", .timeLimit(.minutes(5)))
struct DigestTests {
  @Test("A digest is the same for the same strings and depends on the boundaries between them")
  func digestDependsOnStringBoundaries() {
    #expect(Digest(of: "ab", "c") == Digest(of: "ab", "c"))
    let others = [
      Digest(of: "a", "bc"), Digest(of: "abc"), Digest(of: "ab", "c", ""), Digest(of: "", "ab", "c"), Digest(of: "c", "ab"),
    ]
    #expect(!others.contains(Digest(of: "ab", "c")))
    #expect(Set(others).count == others.count)
  }

  @Test("A hundred thousand similar strings have different digests")
  func similarStringsHaveDifferentDigests() {
    let digests = Set((0..<100_000).map { Digest(of: "request-\($0)") })
    #expect(digests.count == 100_000)
  }

  @Test("A digest is the first 128 bits of SHA-256 over the strings, each followed by a byte that no string contains")
  func digestIsTruncatedSHA256() throws {
    #expect(try StoredText.encode(Digest(of: "how-to-code", "{}")) == #"{"sha256":"1499a4f0906015fc6276486b5ae3c997"}"#)
  }

  @Test("A digest of the older kind can be recomputed for comparison, and never equals a current one")
  func olderDigestCanBeRecomputed() throws {
    let old = try #require(Digest(stored: #"{"high":596557142685267287,"low":10413988685935102181}"#))
    #expect(old.kind == .fnv1a)
    #expect(old == Digest(of: ["how-to-code", "{}"], as: .fnv1a))
    #expect(old != Digest(of: ["how-to-code", "[]"], as: .fnv1a))
    #expect(old != Digest(of: "how-to-code", "{}"))
  }

  @Test("A stored digest is read back, and any other string is refused")
  func storedDigestIsReadBack() throws {
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
