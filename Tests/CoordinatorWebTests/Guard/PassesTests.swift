import Testing

@testable import CoordinatorWeb

@Suite("Codes for phones", .timeLimit(.minutes(5)))
struct PassesTests {
  private let now = ContinuousClock.now

  @Test("A code lets one browser in, leads to its flow, and is then used up")
  func codeIsUsedOnce() throws {
    var sessions = Sessions()
    let pass = sessions.issuePass(to: "visit", at: now)
    let entered = sessions.enter(withCode: pass.code.text, at: now)
    #expect(entered?.pass.tree == "visit")
    #expect(sessions.session(for: [try #require(entered).session.cookie.text]) != nil)
    #expect(sessions.enter(withCode: pass.code.text, at: now)?.pass == nil)
  }

  @Test("A code expires after ten minutes")
  func codeExpires() {
    var passes = Passes()
    let first = passes.issue(for: nil, by: nil, at: now)
    #expect(passes.use(first.code.text, at: now + .seconds(599)) == first)
    let second = passes.issue(for: nil, by: nil, at: now)
    #expect(passes.use(second.code.text, at: now + .seconds(600)) == nil)
    #expect(passes.use(second.code.text, at: now) == nil)
  }

  @Test("Only a limited number of codes is valid at a time")
  func numberOfCodesIsLimited() {
    var passes = Passes()
    let first = passes.issue(for: nil, by: Token(), at: now)
    let others = (0..<Passes.maximumCount).map { _ in passes.issue(for: nil, by: Token(), at: now) }
    #expect(passes.use(first.code.text, at: now) == nil)
    #expect(passes.use(others[0].code.text, at: now) == others[0])
  }

  @Test("A browser that asks for many codes makes its own codes invalid, and not those of others")
  func manyCodesOfOneBrowserReplaceEachOther() {
    var passes = Passes()
    let greedy = Token()
    let other = passes.issue(for: "visit", by: Token(), at: now)
    for number in 0..<3 * Passes.maximumCount { _ = passes.issue(for: "visit_\(number)", by: greedy, at: now) }
    #expect(passes.knows(other.code.text, at: now))
  }

  @Test("The code that the server has announced outlasts any number of codes that browsers ask for")
  func announcedCodeIsKept() {
    var passes = Passes()
    let announced = passes.issue(for: nil, by: nil, at: now)
    for _ in 0..<3 * Passes.maximumCount { _ = passes.issue(for: "visit", by: Token(), at: now) }
    #expect(passes.use(announced.code.text, at: now) == announced)
  }

  @Test("A new code replaces the one that the same browser has asked for before, for the same flow")
  func newCodeReplacesFormerOne() {
    var passes = Passes()
    let (owner, other) = (Token(), Token())
    let first = passes.issue(for: "visit", by: owner, at: now)
    let kept = [passes.issue(for: "account", by: owner, at: now), passes.issue(for: "visit", by: other, at: now)]
    let second = passes.issue(for: "visit", by: owner, at: now)
    #expect(!passes.knows(first.code.text, at: now))
    for pass in kept + [second] { #expect(passes.knows(pass.code.text, at: now)) }
  }

  @Test("Codes are unique, and their addresses are found among paths")
  func codesAreUnique() {
    let codes = Set((0..<100).map { _ in EntryCode().text })
    #expect(codes.count == 100)
    for code in codes { #expect(EntryCode.inPath([code]) == code) }
    for path in [[], ["x"], [String(repeating: "U", count: 26)], [codes.first ?? "", "x"]] {
      #expect(EntryCode.inPath(path) == nil)
    }
  }

  @Test("A code may be typed in lowercase, in groups, and with letters that look like its digits")
  func codeMayBeTyped() {
    let code = "0123456789ABCDEFGHJKMNPQRS"
    for text in [
      code, code.lowercased(), "o1234-56789-abcde-fghjk-mnpqrs", "OI23456789ABCDEFGHJKMNPQRS", "ol23456789abcdefghjkmnpqrs",
    ] {
      #expect(EntryCode.typed(text) == code)
    }
    for text in ["", String(code.dropLast()), code + "0", "U" + code.dropFirst(), "É" + code.dropFirst()] {
      #expect(EntryCode.typed(text) == nil)
    }
  }

  @Test("A code for a flow leads into that flow only, and another one into both; a code for everything lifts the limit")
  func codeReachesItsFlowOnly() throws {
    var sessions = Sessions()
    func use(_ tree: String?, _ cookie: Token?) throws -> Session {
      let pass = sessions.issuePass(to: tree, at: now)
      let entered = sessions.enter(withCode: pass.code.text, as: cookie, at: now)
      return try #require(entered).session
    }
    let first = try use("visit", nil)
    #expect(first.reach == .trees(["visit"]))
    #expect(try use("account", first.cookie).reach == .trees(["visit", "account"]))
    #expect(try use("visit", first.cookie).reach == .trees(["account", "visit"]))
    #expect(sessions.session(for: [first.cookie.text])?.reach.allows("pets") == false)
    #expect(try use(nil, first.cookie).reach == .everything)
    // Opening an address never reduces a session's access.
    #expect(try use("visit", first.cookie).reach == .everything)
    var reach = Reach(codeFor: "0")
    for number in 1...Reach.mostTrees { reach.extend(by: String(number)) }
    #expect(reach.allows("0") == false)
    #expect(reach.tree == String(Reach.mostTrees))
  }

  @Test("A browser that has a session keeps it when it uses a code")
  func sessionIsKept() throws {
    var sessions = Sessions()
    func enter(as cookie: Token?) throws -> Token {
      let pass = sessions.issuePass(at: now)
      let entered = sessions.enter(withCode: pass.code.text, as: cookie, at: now)
      return try #require(entered).session.cookie
    }
    let first = try enter(as: nil)
    #expect(try enter(as: first) == first)
    #expect(try enter(as: Token()) != first)
  }

  @Test("The address for a QR code has only uppercase letters, which need less room")
  func addressForCodeIsUppercase() {
    let names = NetworkNames(
      addresses: [IPAddress("192.0.2.7"), IPAddress("2001:DB8::7")].compactMap(\.self), names: ["kiosk.local"])
    let origins = Origin.network(port: 8443, names: names)
    #expect(
      origins.map(\.description) == ["https://192.0.2.7:8443", "https://[2001:db8::7]:8443", "https://kiosk.local:8443"])
    let entry = EntryAddress(origins[0], EntryCode(), .use)
    #expect(entry.codeText.hasPrefix("HTTPS://192.0.2.7:8443/"))
    #expect(entry.address.uppercased() == entry.codeText)
    #expect(Origin.network(port: 443, names: names)[0].description == "https://192.0.2.7")
  }

  @Test(
    "Addresses are recognized, and those that other machines cannot use",
    arguments: [
      ("127.0.0.1", true), ("192.168.1.5", false), ("::1", true), ("fe80::1", true), ("fd00::2", false), ("2001:db8::1", false),
    ])
  func localAddressesAreRecognized(text: String, isLocal: Bool) {
    #expect(IPAddress(text)?.isLocal == isLocal)
  }

  @Test("Invalid addresses are refused", arguments: ["", "1.2.3", "fe80::1%eth0", "[::1]", "kiosk", "1.2.3.4 "])
  func otherTextIsNoAddress(text: String) { #expect(IPAddress(text) == nil) }
}
