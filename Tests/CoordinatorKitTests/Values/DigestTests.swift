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

  @Test("are read back from what a store has kept of them, and from nothing else")
  func stored() throws {
    for digest in [Digest(of: ""), Digest(of: "how-to-code", "{}"), Digest(of: "日本")] {
      #expect(Digest(stored: try StoredText.encode(digest)) == digest)
    }
    let others = [
      "", "{}", "7", #"{"high":1,"low":2"#, #"{"high":1,"low":2}x"#, #"{"high":,"low":2}"#, #"{"high":-1,"low":2}"#,
      #"{"high":+1,"low":2}"#, #"{"low":1,"high":2}"#, #"{"high":1,"low":99999999999999999999}"#,
    ]
    for text in others { #expect(Digest(stored: text) == nil, "\(text)") }
  }
}
