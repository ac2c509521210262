import Foundation
import Testing

@testable import ControlTool

@Suite("The times that 'coordinatorctl log --since' takes", .timeLimit(.minutes(5)))
struct HistoryStartTests {
  /// 2026-11-24 15:00 UTC.
  private let now: UInt64 = 1_795_532_400_000_000

  @Test(
    "A span, a day, a time of day and a date are times",
    arguments: [
      ("30", "2026-11-24T14:59:30Z"), ("2h", "2026-11-24T13:00:00Z"), ("3d", "2026-11-21T15:00:00Z"),
      ("today", "2026-11-24T00:00:00Z"), ("yesterday", "2026-11-23T00:00:00Z"), ("14:30", "2026-11-24T14:30:00Z"),
      ("yesterday 09:05", "2026-11-23T09:05:00Z"), ("2026-11-01", "2026-11-01T00:00:00Z"),
      ("2026-11-01 08:15", "2026-11-01T08:15:00Z"), ("2026-11-01T08:15", "2026-11-01T08:15:00Z"),
    ])
  func timesAreUnderstood(text: String, expected: String) throws {
    let time = try #require(HistoryStart(text)).time(before: now, secondsFromGMT: 0)
    #expect(Date(timeIntervalSince1970: Double(time) / 1_000_000).ISO8601Format() == expected)
  }

  @Test("Times of day are those of the reader's clock")
  func timesOfDayAreLocal() throws {
    let nine = try #require(HistoryStart("09:00"))
    #expect(nine.time(before: now, secondsFromGMT: 7_200) == nine.time(before: now, secondsFromGMT: 0) - 7_200_000_000)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "", "soon", "0", "25:00", "12:60", "2026-13-01", "2026-11", "2026-11-01 8", "yesterday noon", "9999999999999999d",
    ])
  func othersAreRefused(text: String) { #expect(HistoryStart(text) == nil) }
}
