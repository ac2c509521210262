import Testing

@testable import CoordinatorWeb

@Suite("Sessions of browsers", .timeLimit(.minutes(5)))
struct SessionsTests {
  private func enter(_ sessions: inout Sessions) throws -> Session {
    let session = sessions.enter(with: sessions.entry.text)
    return try #require(session)
  }

  @Test("An entry token lets one browser in and is then replaced")
  func entryTokenIsUsedOnce() throws {
    var sessions = Sessions()
    let first = sessions.entry
    for wrong in [nil, "", Token().text] {
      let session = sessions.enter(with: wrong)
      #expect(session?.cookie == nil)
    }
    #expect(sessions.entry == first)
    let session = sessions.enter(with: first.text)
    #expect(session?.cookie.text.isEmpty == false)
    let again = sessions.enter(with: first.text)
    #expect(again?.cookie == nil)
    _ = try enter(&sessions)
  }

  @Test("A cookie is found among others of its name")
  func cookieIsFoundAmongOthersOfItsName() throws {
    var sessions = Sessions()
    let session = try enter(&sessions)
    #expect(sessions.session(for: ["x", session.cookie.text])?.csrf == session.csrf)
    #expect(sessions.session(for: ["x"])?.cookie == nil)
    #expect(sessions.session(for: [session.csrf.text])?.cookie == nil)
  }

  @Test("The session that was used longest ago ends when there are too many")
  func leastUsedSessionEndsWhenThereAreTooMany() throws {
    var sessions = Sessions()
    let (first, second) = (try enter(&sessions), try enter(&sessions))
    for _ in 2..<Sessions.maximumCount { _ = try enter(&sessions) }
    #expect(sessions.use([first.cookie.text]) != nil)
    _ = try enter(&sessions)
    #expect(sessions.session(for: [first.cookie.text]) != nil)
    #expect(sessions.session(for: [second.cookie.text]) == nil)
  }

  @Test("A session whose page is on a screen outlasts any number of others")
  func shownSessionIsKept() throws {
    var sessions = Sessions()
    let shown = try enter(&sessions)
    sessions.beginListening(shown.cookie)
    for _ in 0..<3 * Sessions.maximumCount { _ = try enter(&sessions) }
    #expect(sessions.session(for: [shown.cookie.text]) != nil)
    // A page stops counting only after it is left.
    sessions.endListening(shown.cookie)
    for _ in 1..<Sessions.maximumCount { _ = try enter(&sessions) }
    #expect(sessions.session(for: [shown.cookie.text]) != nil)
    _ = try enter(&sessions)
    #expect(sessions.session(for: [shown.cookie.text]) == nil)
  }

  /// Lets a browser in with a code that a session requests.
  private func invite(by owner: Session, _ sessions: inout Sessions) throws -> Session {
    let pass = sessions.issuePass(to: "pets_1", by: owner.cookie)
    let entered = sessions.enter(withCode: pass.code.text)
    return try #require(entered).session
  }

  @Test("A guest who lets forty browsers in shuts out its own guests, and neither its host nor the host's other guests")
  func guestsShutOutTheirOwnOnly() throws {
    var sessions = Sessions()
    let (host, other) = (try enter(&sessions), try enter(&sessions))
    let (guest, friend) = (try invite(by: host, &sessions), try invite(by: host, &sessions))
    let own = try (0..<40).map { _ in try invite(by: guest, &sessions) }
    for kept in [host, other, guest, friend] + own.suffix(Sessions.maximumCountPerGuest) {
      #expect(sessions.session(for: [kept.cookie.text]) != nil)
    }
    for dropped in own.dropLast(Sessions.maximumCountPerGuest) {
      #expect(sessions.session(for: [dropped.cookie.text]) == nil)
    }
  }

  @Test("A chain of guests who let each other in counts as guests of the first, and no guest shuts out who let them in")
  func chainOfGuestsCountsAsTheFirst() throws {
    var sessions = Sessions()
    let host = try enter(&sessions)
    let (guest, friend) = (try invite(by: host, &sessions), try invite(by: host, &sessions))
    var last = guest
    for _ in 0..<40 {
      let next = try invite(by: last, &sessions)
      #expect(sessions.session(for: [last.cookie.text]) != nil)
      last = next
    }
    for kept in [host, guest, friend, last] { #expect(sessions.session(for: [kept.cookie.text]) != nil) }
  }

  @Test("Guests of many hosts make room for each other, and hosts never for guests")
  func guestsMakeRoomForEachOther() throws {
    var sessions = Sessions()
    let hosts = try (0..<Sessions.maximumCount).map { _ in try enter(&sessions) }
    let modest = try invite(by: hosts[0], &sessions)
    for host in hosts[1...4] {
      for _ in 0..<3 * Sessions.maximumCountPerHost { _ = try invite(by: host, &sessions) }
    }
    for kept in hosts + [modest] { #expect(sessions.session(for: [kept.cookie.text]) != nil) }
  }

  @Test("The codes that a shut-out browser has requested admit no browser")
  func codesEndWithTheirSession() throws {
    var sessions = Sessions()
    let host = try enter(&sessions)
    let guest = try invite(by: host, &sessions)
    let last = try invite(by: guest, &sessions)
    let pass = sessions.issuePass(to: "pets_1", by: last.cookie)
    for _ in 0..<Sessions.maximumCountPerGuest { _ = try invite(by: guest, &sessions) }
    #expect(sessions.session(for: [last.cookie.text]) == nil)
    #expect(!sessions.knows(pass.code.text))
  }

  @Test("A guest whom the server itself lets in later is a host")
  func guestBecomesHost() throws {
    var sessions = Sessions()
    let host = try enter(&sessions)
    let guest = try invite(by: host, &sessions)
    let entered = sessions.enter(with: sessions.entry.text, as: guest.cookie)
    #expect(entered?.cookie == guest.cookie)
    for _ in 0..<40 { _ = try invite(by: host, &sessions) }
    #expect(sessions.session(for: [guest.cookie.text]) != nil)
  }

  @Test("Drafts belong to a session, a tree and a screen, and their number is limited")
  func draftsBelongToSessionTreeAndScreen() throws {
    var sessions = Sessions()
    let session = try enter(&sessions)
    sessions.updateDrafts(of: session.cookie) { $0.keep(Draft(screen: 3, typed: ["a": ["x"]]), in: "pets_1") }
    let drafts = try #require(sessions.session(for: [session.cookie.text])?.drafts)
    #expect(drafts.draft(of: 3, in: "pets_1")?.typed == ["a": ["x"]])
    #expect(drafts.draft(of: 4, in: "pets_1") == nil)
    #expect(drafts.draft(of: 3, in: "pets_2") == nil)
    sessions.updateDrafts(of: session.cookie) { drafts in
      for number in 0..<Drafts.maximumCount { drafts.keep(Draft(screen: 1), in: "tree_\(number)") }
    }
    #expect(sessions.session(for: [session.cookie.text])?.drafts.draft(of: 3, in: "pets_1") == nil)
  }

  @Test("Tokens have 128 bits, are unique, and match only themselves")
  func tokensAreLongUniqueAndExact() {
    let tokens = (0..<1000).map { _ in Token() }
    #expect(Set(tokens).count == 1000)
    for token in tokens {
      #expect(token.text.utf8.count == 32)
      #expect(token.matches(token.text))
      #expect(!token.matches(String(token.text.dropLast()) + "g"))
      #expect(!token.matches(token.text + "0"))
    }
    #expect(!tokens[0].matches(tokens[1].text))
  }

  @Test("An origin is parsed from the command line")
  func originIsReadFromTheCommandLine() {
    #expect(Origin("https://Kiosk.example")?.description == "https://kiosk.example")
    #expect(Origin("http://[::1]:8080/")?.host == "[::1]:8080")
    #expect(Origin.loopback(port: 80).description == "http://127.0.0.1")
    for text in ["", "kiosk.example", "https://", "https://a/b", "ftp://a", "https://a@b", "https://a b"] {
      #expect(Origin(text) == nil)
    }
  }
}
