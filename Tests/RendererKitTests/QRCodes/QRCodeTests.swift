import Testing

@testable import QRCodes

@Suite("QR codes", .timeLimit(.minutes(1)))
struct QRCodeTests {
  @Test("A short text becomes the smallest code, with its three finders in the corners")
  func shortTextBecomesTheSmallestCode() throws {
    let code = try #require(QRCode("hello"))
    #expect(code.size == 21)
    for (top, left) in [(0, 0), (0, 14), (14, 0)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = min(row, column, 6 - row, 6 - column)
          #expect(code[top + row, left + column] == (ring != 1), "\(top + row), \(left + column)")
        }
      }
    }
  }

  @Test("The same text becomes the same code, and another text another one")
  func codeDependsOnItsTextOnly() {
    #expect(QRCode("https://example.org") == QRCode("https://example.org"))
    #expect(QRCode("https://example.org") != QRCode("https://example.com"))
    #expect(QRCode("Grüße, 水") != nil)
  }

  @Test("A long text becomes a larger code, and one that no code can hold becomes none")
  func longTextBecomesALargerCode() throws {
    let long = try #require(QRCode(String(repeating: "a", count: 2900)))
    #expect(long.size == 177)
    #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
    #expect(QRCode("") == nil)
    #expect(QRCode("a\0b") == nil)
  }

  @Test("Everything around a code is light")
  func everythingAroundACodeIsLight() throws {
    let code = try #require(QRCode("hello"))
    for (row, column) in [(-1, 0), (0, -1), (21, 0), (0, 21), (.min, .max)] { #expect(!code[row, column]) }
  }
}
