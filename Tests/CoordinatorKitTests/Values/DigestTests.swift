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
}
