import CoordinatorClient
import CoordinatorKit
import Languages
import Testing

@testable import RendererKit

@Suite("Dates in the language of their readers", .timeLimit(.minutes(1)))
struct LocalizedDateTests {
  private static let german = Translations.Language(
    (try? LanguageTag("de")) ?? .english,
    catalogues: [
      MessageCatalogue(["{year}-{month}-{day}": "{day}.{month}.{year}", "{date}, {time} ({zone})": "{date}, {time} Uhr ({zone})"])
    ])

  @Test("A date is in the order of the language, and as in the Internet without one")
  func dateIsLocalized() throws {
    let date = try #require(LocalizedDate("2026-12-24"))
    #expect(date.text == "2026-12-24")
    #expect(Translation.$current.withValue(Self.german) { date.text } == "24.12.2026")
  }

  @Test(
    "A time has its offset, so that it is the same everywhere",
    arguments: [
      ("2026-12-24T17:30:00Z", "24.12.2026, 17:30 Uhr (UTC)"),
      ("2026-12-24T17:30:00.5+01:00", "24.12.2026, 17:30 Uhr (UTC+01:00)"),
      ("2026-12-24T17:30:00-00:00", "24.12.2026, 17:30 Uhr (UTC)"),
    ])
  func timeHasItsOffset(text: String, german: String) throws {
    let date = try #require(LocalizedDate(text))
    #expect(Translation.$current.withValue(Self.german) { date.text } == german)
  }

  @Test(
    "What is only similar to a date is no date",
    arguments: ["", "2026", "2026-13-01", "2026-02-30", "24.12.2026", "2026-12-24 evening", "2026-12-24T17:30", " 2026-12-24"])
  func similarTextIsNoDate(text: String) { #expect(LocalizedDate(text) == nil) }

  @Test("The end of a flow has the dates of its result, by the schema, and those under review, by their form")
  func endsHaveDates() throws {
    let schema = Schema.object(Field("day", .date(title: "Day")), Field("version", .string(title: "Version")))
    let listing = FlowListing(name: "a", title: "A", summary: "", input: nil, result: schema)
    let end = FlowEnd.finished(["day": "2026-12-24", "version": "2026-07-21"])
    Translation.$current.withValue(Self.german) {
      let rows = EndSummary(end, of: listing).rows
      #expect(rows.map(\.value) == ["24.12.2026", "2026-07-21"])
      #expect(rows.map(\.date?.internet) == ["2026-12-24", nil])
      let review = [ReviewRow("Day", "2026-12-24"), ReviewRow("Place", "here")]
      #expect(EndSummary(end, review: review).rows.map(\.value) == ["24.12.2026", "here"])
    }
  }
}
