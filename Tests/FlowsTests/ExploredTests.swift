import Accounts
import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("Every way through the flows", .timeLimit(.minutes(5)))
struct ExploredTests {
  @Test("Every way through how-to-code leads to its outcomes")
  func everyWayThroughHowToCodeWorks() async throws {
    let walk = try await FlowExplorer("how-to-code", in: .builtIn()).walk()
    try walk.expect(screens: ["step-1", "step-2", "step-3", "step-4", "start-over"])
    #expect(Set(walk.outcomes) == [.finished(["steps": 4]), .cancelled])
  }

  @Test("Every way through schedule-visit leads to one of its outcomes")
  func everyWayThroughScheduleVisitWorks() async throws {
    let walk = try await FlowExplorer("schedule-visit", in: .builtIn()).walk()
    try walk.expect(screens: visit)
    #expect(
      Set(walk.outcomes) == [
        .cancelled, .finished(["visit": "well"]),
        .finished(["visit": "sick", "pain": "none"]), .finished(["visit": "sick", "pain": "none", "faked": true]),
        .finished(["visit": "sick", "pain": "little"]), .finished(["visit": "sick", "pain": "little", "faked": true]),
        .finished(["visit": "sick", "pain": "moderate"]), .finished(["visit": "sick", "pain": "severe"]),
        .finished(["visit": "sick", "pain": "worst-possible"]),
      ])
  }

  @Test("Every way through pets works, and none ends the flow except Dismiss")
  func everyWayThroughPetsWorks() async throws {
    let walk = try await FlowExplorer("pets", in: .builtIn()).walk()
    try walk.expect(screens: visit.union(["home"]))
    #expect(walk.messages == ["visit-cancelled", "visit-scheduled"])
    #expect(walk.outcomes.isEmpty)
  }

  @Test("Every way through kanji works down to the maximum depth")
  func everyWayThroughKanjiWorks() async throws {
    try await FlowExplorer("kanji", in: .builtIn(), limits: shallow).walk().expect(screens: dictionary)
  }

  @Test("Every way through kanji-list works, for all kanji and for those of a word")
  func everyWayThroughKanjiListWorks() async throws {
    let explorer = try FlowExplorer("kanji-list", in: .builtIn(), inputs: [[:], ["word": "日本"]], limits: shallow)
    try await explorer.walk().expect(screens: dictionary)
  }

  @Test("Every way through kanji-detail works")
  func everyWayThroughKanjiDetailWorks() async throws {
    let explorer = try FlowExplorer("kanji-detail", in: .builtIn(), inputs: [["kanji": "水"]], limits: shallow)
    try await explorer.walk().expect(screens: dictionary)
  }

  @Test("Every way through log-in ends by logging in")
  func everyWayThroughLogInWorks() async throws {
    let walk = try await FlowExplorer("log-in", in: .builtIn()).walk()
    try walk.expect(screens: ["welcome"])
    #expect(walk.outcomes == [.finished([:])])
  }

  @Test("Every way through shop-main works, and none checks out an empty basket")
  func everyWayThroughShopMainWorks() async throws {
    let walk = try await FlowExplorer("shop-main", in: .builtIn()).walk()
    try walk.expect(screens: ["products", "product"])
    #expect(walk.outcomes.contains(.finished(["basket": ["lamp": 1, "desk": 2]])))
    #expect(!walk.outcomes.contains(.finished(["basket": [:]])))
  }

  @Test("Every way through shop works")
  func everyWayThroughTheShopWorks() async throws {
    try await FlowExplorer("shop", in: .builtIn()).walk().expect(screens: ["welcome", "products", "product"])
  }

  @Test("Every way through product-details works, with add-to-basket left to the parent")
  func everyWayThroughProductDetailsWorks() async throws {
    let walk = try await FlowExplorer("product-details", in: .builtIn(), inputs: [["product": "lamp"]]).walk()
    try walk.expect(screens: ["product"], leavingToParent: ["add-to-basket"])
    #expect(walk.outcomes == [.finished([:]), .cancelled])
  }

  @Test("Every way through account works, with every verdict of a check")
  func everyWayThroughAccountWorks() async throws {
    let explorer = try FlowExplorer(
      "account", in: .builtIn(accounts: Doorman()),
      answers: ["log-in": ["demo", "locked", "broken"].map { ["username": .string($0), "password": "open-sesame"] }])
    let walk = try await explorer.walk()
    try walk.expect(screens: ["log-in", "user-profile"])
    #expect(Set(walk.messages) == ["invalid-credentials", "too-many-attempts", "unavailable"])
    #expect(Set(walk.outcomes) == [.cancelled, .finished(["username": "demo"])])
  }

  /// An account manager whose verdict is determined by the user name, without delay.
  private struct Doorman: AccountManager {
    struct Broken: Error {}
    func check(_ username: String, password: Secret) async throws -> Verdict {
      switch username {
      case "demo": password.withString { $0 == "open-sesame" } ? .accepted : .wrong
      case "locked": .tooManyAttempts
      case "broken": throw Broken()
      default: .wrong
      }
    }
  }

  @Test("Every way through quotes works")
  func everyWayThroughQuotesWorks() async throws {
    // A single quote is in the same place in any order, so the walk does not depend on chance.
    let one = #"{"quotes": [{"id": "q1", "text": "Know thyself.", "author": "Thales"}]}"#
    let catalogue = try FlowCatalogue.builtIn(quotes: .json(Array(one.utf8)))
    try await FlowExplorer("quotes", in: catalogue).walk().expect(screens: ["quotes", "quote", "settings"])
  }

  private let visit: Set = ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"]
  private let dictionary: Set = ["kanji-list", "kanji-detail"]

  /// Limits with a small depth, since lists and details start each other without end.
  private var shallow: Limits {
    var limits = Limits()
    limits.maxDepth = 4
    return limits
  }
}
