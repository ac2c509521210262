import Testing

@testable import Themes

@Suite struct `Colors` {
  @Test(arguments: [
    ("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#ff0000", "#ffffff", 3.99), ("#123456", "#123456", 1),
  ])
  func `have the contrast that WCAG defines`(one: String, other: String, ratio: Double) throws {
    let (one, other) = (try #require(RGBColor(one)), try #require(RGBColor(other)))
    #expect(abs(one.contrast(with: other) - ratio) < 0.01)
    #expect(one.contrast(with: other) == other.contrast(with: one))
  }

  @Test(arguments: ["", "#", "#12345", "#1234567", "123456", "#12345g", "#+12345", "#１２３４５６"])
  func `that are written otherwise are none`(text: String) {
    #expect(RGBColor(text) == nil)
  }

  @Test func `are written as they are read`() {
    #expect(RGBColor("#0A0b0C")?.description == "#0a0b0c")
  }

  @Test func `always have an ink that is legible on them`() {
    for number in stride(from: UInt32(0), through: 0xffffff, by: 0x010307) {
      let color = RGBColor(number)
      #expect(color.contrast(with: color.ink) >= 4.5)
    }
  }

  @Test func `have a nearest tone that is legible, and no nearer one is`() throws {
    let yellow = try #require(RGBColor("#ffcc00"))
    let found = try #require(yellow.nearest(on: [.white], 3))
    #expect(found.contrast(with: .white) >= 3)
    #expect(found.contrast(with: .white) < 3.1)
    #expect(found.blue == 0)
    #expect(yellow.nearest(on: [.black], 3) == yellow)
  }

  @Test func `have no nearest tone where nothing is legible`() throws {
    let gray = try #require(RGBColor("#808080"))
    #expect(gray.nearest(on: [.white, .black], 5) == nil)
  }

  @Test(arguments: [
    ("#f5001c", true), ("#d32f2f", true), ("#b3211c", true), ("#e8590c", false), ("#c2185b", false), ("#2f5bd3", false),
    ("#8a5300", false),
  ])
  func `of errors read as danger`(color: String, isRed: Bool) throws {
    #expect(try #require(RGBColor(color)).readsAsDanger == isRed)
  }
}
