import Forms
import Foundation
import TestBus
import Testing

@Suite("Formats compared with other implementations", .timeLimit(.minutes(5)))
struct FormatOracleTests {
  @Test("A string is an IP address exactly if the C library reads it as one", arguments: 0..<16)
  func ipAddressesAgreeWithTheCLibrary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let text = Self.mutated(
        ["1:2:3:4:5:6:7:8", "::", "fe80::1", "::ffff:192.0.2.1", "1:2:3:4:5:6:1.2.3.4", "1::", "192.0.2.255", "0.0.0.0"],
        with: "0123459afAFg:.", &random)
      #expect(Schema.Format.ipv4.matches(text) == Self.isAddress(text, AF_INET), "\(text), seed \(seed)")
      #expect(Schema.Format.ipv6.matches(text) == Self.isAddress(text, AF_INET6), "\(text), seed \(seed)")
    }
  }

  @Test("Every day of four centuries, and no other, is a date")
  func datesAgreeWithTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for year in 1901..<2301 {
      for month in 1...12 {
        let first = try #require(calendar.date(from: DateComponents(year: year, month: month, day: 1)))
        let days = try #require(calendar.range(of: .day, in: .month, for: first)).count
        for day in 27...32 {
          let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day)"
          #expect(Schema.Format.date.matches(text) == (day <= days), "\(text)")
        }
      }
    }
  }

  /// Returns one of the strings with up to three random changes.
  private static func mutated(_ texts: [String], with alphabet: String, _ random: inout SeededGenerator) -> String {
    var characters = Array(texts.randomElement(using: &random) ?? "")
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let index = Int.random(in: 0...characters.count, using: &random)
      let character = alphabet.randomElement(using: &random) ?? "0"
      switch Int.random(in: 0..<3, using: &random) {
      case 0: characters.insert(character, at: index)
      case 1 where index < characters.count: characters[index] = character
      case 2 where index < characters.count: characters.remove(at: index)
      default: break
      }
    }
    return String(characters)
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }
}
