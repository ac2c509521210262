import Platform
import RendererKit
import Testing

@testable import CoordinatorWeb

@Suite("Addresses on the terminal of the server", .timeLimit(.minutes(5)))
struct EntryAnnouncerTests {
  private func text(_ occasion: EntryAddress.Occasion, isOnNetwork: Bool = true, _ format: EntryAnnouncer.Format? = nil) -> String
  {
    let text = Lock("")
    let announcer = EntryAnnouncer(
      format: format ?? .terminal(TextStyle(environment: ["LANG": "C.UTF-8"], isTerminal: true)), isOnNetwork: isOnNetwork,
      fingerprint: nil, write: { part in text.withLock { $0 += part } })
    announcer.announce(EntryAddress(Origin(scheme: "https", host: "192.0.2.7:4000"), EntryCode(), occasion))
    return text.withLock { $0 }
  }

  @Test(
    "Every address on the network is shown with its QR code, because the one above it is worthless",
    arguments: [EntryAddress.Occasion.start, .use, .expiry])
  func everyAddressHasACode(occasion: EntryAddress.Occasion) {
    #expect(text(occasion).contains("https://192.0.2.7:4000/"))
    #expect(text(occasion).contains("▀"))
    #expect(!text(occasion, isOnNetwork: false).contains("▀"))
    // A script reads one line per announcement.
    #expect(text(occasion, .bare).split(separator: "\n").count == 1)
  }

  @Test("What is reachable from where is said once")
  func reachIsSaidOnce() {
    #expect(text(.start).contains("Ctrl-C"))
    #expect(!text(.use).contains("Ctrl-C"))
    #expect(text(.use).contains("has used the address"))
  }
}
