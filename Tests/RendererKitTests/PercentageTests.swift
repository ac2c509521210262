import Testing

@testable import RendererKit

@Suite("Percentages", .timeLimit(.minutes(5)))
struct PercentageTests {
  @Test(
    "A fraction is rounded down to whole per cent, and is never more than all or less than nothing",
    arguments: [
      (0, 0), (0.356, 35), (0.29, 29), (0.57, 57), (0.999, 99), (1, 100), (1.5, 100), (-1, 0), (.nan, 0), (.infinity, 0),
    ])
  func fractionIsRoundedDown(fraction: Double, number: Int) {
    #expect(Percentage(fraction).number == number)
    #expect(Percentage.text(of: fraction) == "\(number)%")
    #expect(Percentage.pattern.replacing("{percent}", with: "\(number)") == "\(number)%")
  }

  @Test("Every number of per cent is the number of its fraction")
  func everyNumberIsExact() {
    for number in 0...100 { #expect(Percentage(Double(number) / 100).number == number) }
  }
}
