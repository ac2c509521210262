import Testing

@testable import CoordinatorKit

@Suite("SHA-256", .timeLimit(.minutes(5)))
struct SHA256Tests {
  @Test(
    "SHA-256 gives the results of the standard's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func hashMatchesStandardExamples(_ text: String, _ expected: String) { #expect(Self.digest([text]) == expected) }

  @Test("SHA-256 gives the standard's result for a million letters")
  func hashMatchesForMillionLetters() {
    let piece = String(repeating: "a", count: 1_000)
    #expect(
      Self.digest([String](repeating: piece, count: 1_000)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(
    "SHA-256 is right around block boundaries, in however many pieces the bytes arrive",
    arguments: [
      (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
      (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
      (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
      (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
      (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
      (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
      (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
      (200, "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5"),
    ])
  func hashIsRightAtBlockBoundaries(_ count: Int, _ expected: String) {
    for piece in [1, 7, 63, 64, 65, count] {
      let pieces = stride(from: 0, to: count, by: piece).map { String(repeating: "a", count: min(piece, count - $0)) }
      #expect(Self.digest(pieces) == expected, "in pieces of \(piece)")
    }
  }

  private static func digest(_ pieces: [String]) -> String {
    var hash = SHA256()
    for var piece in pieces { piece.withUTF8 { hash.update($0) } }
    let words = hash.finish()
    return words.indices.map { index in
      let digits = String(words[index], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
