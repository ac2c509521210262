import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit
import Testing

@testable import CoordinatorTerminal

@Suite("Continuing on a phone", .timeLimit(.minutes(5)))
struct PhoneTests {
  private static let line = """
    {"address":"https://192.0.2.7:4000/0123456789ABCDEFGHJKMNPQRS","because":"BECAUSE",\
    "code":"HTTPS://192.0.2.7:4000/0123456789ABCDEFGHJKMNPQRS","fingerprint":"AA:BB","seconds":600}
    """

  private func link(_ occasion: String) throws -> PhoneLink {
    try #require(PhoneLink(line: Self.line.replacing("BECAUSE", with: occasion)))
  }

  @Test("F2 starts the server once, shows the code, and any key hides it")
  func codeIsShownAndHidden() throws {
    var display = Display(tree: "pets_1", isUnicode: true)
    let size = Size(columns: 80, rows: 24)
    #expect(display.handle(.key(.phone)) == [.startPhone])
    #expect(display.draw(in: size).lines.joined().contains("Continue on your phone"))
    #expect(display.handle(.phone(.link(try link("start")))).isEmpty)
    let text = display.draw(in: size).lines.joined()
    for part in ["▀", "192.0.2.7:4000", "AA:BB", "once, for ten"] { #expect(text.contains(part), "\(part)") }
    #expect(display.handle(.key(.escape)).isEmpty)
    #expect(!display.draw(in: size).lines.joined().contains("Continue on your phone"))
    #expect(display.handle(.key(.phone)).isEmpty)
    #expect(display.draw(in: size).lines.joined().contains("192.0.2.7:4000"))
  }

  @Test("Where users cannot leave, F2 does nothing, and neither hints nor help name it")
  func lockedTerminalLeadsToNoPhone() {
    var display = Display(
      tree: "pets_1", font: .unicode, policy: KioskPolicy(isLocked: true, restartTime: nil, idleTime: nil))
    _ = display.handle(.event(.window(Samples.window(1, Samples.presented(Samples.menu)))))
    #expect(display.text(160, 40).contains("F1") && !display.text(160, 40).contains("F2"))
    #expect(display.handle(.key(.phone)).isEmpty)
    #expect(!display.phone.isShown)
    _ = display.handle(.key(.help))
    #expect(display.text(160, 40).contains("F1") && !display.text(160, 40).contains("F2"))
  }

  @Test("Once the address is used, the flow is shown again, and F2 shows the next one")
  func usedAddressIsReplaced() throws {
    var display = Display(tree: "pets_1", isUnicode: true)
    _ = display.handle(.key(.phone))
    _ = display.handle(.phone(.link(try link("start"))))
    _ = display.handle(.phone(.link(try link("use"))))
    #expect(!display.phone.isShown)
    #expect(display.notice?.text == "This flow is open on another device now.")
    #expect(display.handle(.key(.phone)).isEmpty)
  }

  @Test("If the server cannot be started, the reason is shown, and F2 tries again")
  func reasonIsShown() {
    var display = Display(tree: "pets_1", isUnicode: true)
    _ = display.handle(.key(.phone))
    _ = display.handle(.phone(.ended(["coordinator-web: this machine has no address on a network"])))
    #expect(display.draw(in: Size(columns: 80, rows: 24)).lines.joined().contains("no address on a network"))
    _ = display.handle(.key(.enter))
    #expect(display.handle(.key(.phone)) == [.startPhone])
  }

  @Test("As soon as the end of a server is reported, the next one can be started, even if the stream continues")
  func nextServerStartsAtOnce() async {
    let streams = (0..<2).map { _ in AsyncStream.makeStream(of: Phone.News.self) }
    let begun = Lock(0)
    let driver = PhoneDriver {
      begun.withLock { number in
        number += 1
        return PhoneServer(news: streams[number - 1].stream)
      }
    }
    let (reports, reported) = AsyncStream.makeStream(of: Phone.News.self)
    await driver.start { reported.yield($0) }
    streams[0].continuation.yield(.ended(["no network"]))
    for await news in reports where news == .ended(["no network"]) { break }
    await driver.start { reported.yield($0) }
    #expect(begun.withLock { $0 } == 2)
    // The end of the former server does not end the new one.
    streams[0].continuation.finish()
    streams[1].continuation.yield(.ended(["again"]))
    for await news in reports where news == .ended(["again"]) { break }
  }

  @Test(
    "Without room for the code, or without Unicode, the address is shown",
    arguments: [(40, 12, true), (80, 24, false), (1, 1, true)])
  func addressIsShownWithoutRoom(columns: Int, rows: Int, isUnicode: Bool) throws {
    var display = Display(tree: "pets_1", isUnicode: isUnicode)
    _ = display.handle(.key(.phone))
    _ = display.handle(.phone(.link(try link("start"))))
    let text = display.draw(in: Size(columns: columns, rows: rows)).lines.joined()
    #expect(!text.contains("▀▀▀"))
    if columns > 30 { #expect(text.contains("192.0.2.7:4000")) }
  }

  @Test("Lines that are not of the server are ignored", arguments: ["", "{}", "[]", "https://x", "{\"address\":1}"])
  func otherLinesAreIgnored(line: String) { #expect(PhoneLink(line: line) == nil) }
}
