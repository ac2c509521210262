import CoordinatorClient
import Platform
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("Letting browsers in", .timeLimit(.minutes(5)))
struct EntryTests {
  @Test("A browser that a phone's code let into one flow sees everything once it opens the address of the server")
  func addressExtendsWhatACodeGave() async throws {
    let bus = try PrivateBus()
    let browser = try await SiteBrowser.open(bus)
    let site = browser.site
    let pass = try #require(site.access.invite(to: "pets_1", by: nil)).pass
    let phone = try #require(site.access.enter(withCode: pass.code.text, as: nil)).session
    #expect(phone.reach == .trees(["pets_1"]))
    let token = String(try #require(browser.entries.withLock { $0.last }?.split(separator: "=").last))
    let answer = await site.answer(
      HTTPRequest(
        method: .get, path: [browser.prefix], query: ["token": token],
        headers: ["Host": "127.0.0.1", "Cookie": "\(Entrance.cookieName)=\(phone.cookie.text)"]))
    #expect(answer.status == .seeOther)
    #expect(answer.headers.first { $0.name == "Location" }?.value == "/\(browser.prefix)/")
    #expect(site.access.session(for: [phone.cookie.text])?.reach == .everything)
    // The address is used up, and the next one is announced.
    #expect(browser.entries.withLock { $0.last?.hasSuffix(token) } == false)
  }

  @Test("If no user can be asked any more whether another address is wanted, it is announced without a question")
  func addressIsAnnouncedWithoutAsking() async throws {
    let bus = try PrivateBus()
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let (entries, announced) = AsyncStream.makeStream(of: EntryAddress.self)
    let site = Site(daemon: client, scope: .everything, origins: [.loopback(port: 80)], isOnNetwork: true) {
      announced.yield($0)
    }
    var news = entries.makeAsyncIterator()
    #expect(await news.next()?.occasion == .start)
    // An address that has expired.
    site.access.announceEntry(.start, at: .now - Passes.lifetime)
    #expect(await news.next()?.occasion == .start)
    let questions = Lock(0)
    let renewal = Task {
      await site.access.renewEntries {
        questions.withLock { $0 += 1 }
        return false
      }
    }
    #expect(await news.next()?.occasion == .expiry)
    #expect(questions.withLock { $0 } == 1)
    renewal.cancel()
    await renewal.value
  }

  @Test("Of addresses that are announced at the same time, the one that is noted last lets a browser in")
  func notedAddressIsValid() async throws {
    let bus = try PrivateBus()
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let site = Site(daemon: client, scope: .everything, origins: [.loopback(port: 80)], isOnNetwork: true) { _ in }
    for _ in 0..<200 {
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { site.access.announceEntry(.use) } }
      }
      let code = try #require(site.access.announcedPass?.code.text)
      #expect(site.access.knows(code))
    }
  }
}
