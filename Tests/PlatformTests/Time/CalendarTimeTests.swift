import Platform
import Testing

@Suite("Times of the calendar", .timeLimit(.minutes(5)))
struct CalendarTimeTests {
  @Test(
    "A moment is shown as the clock of a place shows it",
    arguments: [
      (0, 0, "1970-01-01 00:00:00", "1970-01-01 00:00:00.000"),
      (1_700_000_000_250_999, 3600, "2023-11-14 23:13:20", "2023-11-14 23:13:20.250"),
      (951_782_400_007_000, -1, "2000-02-28 23:59:59", "2000-02-28 23:59:59.007"),
    ] as [(UInt64, Int, String, String)])
  func momentIsShown(microseconds: UInt64, offset: Int, text: String, precise: String) {
    let time = CalendarTime(microseconds: microseconds, secondsFromGMT: offset)
    #expect(time.text == text)
    #expect(time.textWithMilliseconds == precise)
  }

  @Test("A moment in a distant future traps nothing")
  func distantFutureIsShown() {
    #expect(!CalendarTime(microseconds: .max).text.isEmpty)
    #expect(!CalendarTime(microseconds: .max, secondsFromGMT: 0).text.isEmpty)
  }
}
