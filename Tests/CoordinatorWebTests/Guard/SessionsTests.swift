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
    // A page that is left no longer counts, but from then on only.
    sessions.endListening(shown.cookie)
    for _ in 1..<Sessions.maximumCount { _ = try enter(&sessions) }
    #expect(sessions.session(for: [shown.cookie.text]) != nil)
    _ = try enter(&sessions)
    #expect(sessions.session(for: [shown.cookie.text]) == nil)
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
