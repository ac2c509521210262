import Accounts
import CoordinatorKit
import Flows
import Testing

@testable import CoordinatorProvider
@testable import CoordinatorTestKit

@Suite("Flows that are served give the same as built in", .timeLimit(.minutes(10)))
struct GoldenTests {
  @Test("The explorer finds the same in each flow: screens, ways, messages, outcomes and problems", arguments: flows)
  func walks(flow: String) async throws {
    let explorer = try Self.explorer(of: flow)
    var served = explorer
    served.catalogue = try explorer.catalogue.served()
    let one = try await explorer.walk()
    let other = try await served.walk()
    #expect(one.screens == other.screens)
    #expect(one.paths == other.paths)
    #expect(one.messages == other.messages)
    #expect(one.outcomes == other.outcomes)
    #expect(one.states == other.states && one.moves == other.moves && one.isComplete == other.isComplete)
    #expect(one.found.map { "\($0)" } == other.found.map { "\($0)" })
  }

  @Test("Each move of a random walk has the same answer, and leads to the same window", arguments: flows)
  func lockstep(flow: String) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(flow): seed \(seed)")
    var lockstep = try Lockstep(Self.explorer(of: flow), seed: seed)
    var moves = 0
    for _ in 0..<12 { moves += try await lockstep.walk(25) }
    #expect(moves > 0)
  }

  @Test("Everything that a coordinator can do has the same effect", .timeLimit(.minutes(5)))
  func everything() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("sampler: seed \(seed)")
    var catalogue = FlowCatalogue()
    try catalogue.add { Sampler() }
    try catalogue.add { Part() }
    let answers: [String: [[String: JSONValue]]] = [
      "secret": [("1234", "1234"), ("4321", "4321"), ("1234", "9999")].map {
        ["name": "x", "pin": .string($0.0), "again": .string($0.1)]
      }
    ]
    var explorer = FlowExplorer("sampler", in: catalogue, answers: answers)
    explorer.triesOnlyAnswers = true
    var lockstep = try Lockstep(explorer, seed: seed)
    lockstep.rare = ["cancel", "finish", "fail", "fail-all", "mishap", "wrong-route", "dismiss", "Back"]
    for _ in 0..<15 { _ = try await lockstep.walk(30) }
  }

  @Test("A provider that forgets everything after each question gives the same", arguments: forgettable)
  func forgetful(flow: String) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(flow): seed \(seed)")
    var lockstep = try Lockstep(Self.explorer(of: flow), seed: seed, isForgetful: true)
    for _ in 0..<8 { _ = try await lockstep.walk(25) }
  }

  static let forgettable = ["how-to-code", "schedule-visit", "pets", "kanji", "shop", "quotes"]

  static let flows = [
    "how-to-code", "schedule-visit", "pets", "kanji", "kanji-list", "kanji-detail", "log-in", "shop-main", "shop",
    "product-details", "account", "quotes",
  ]

  private static func explorer(of flow: String) throws -> FlowExplorer {
    // A single quote is in the same place in any order, so the walk does not depend on chance.
    let one = #"{"quotes": [{"id": "q1", "text": "Know thyself.", "author": "Thales"}]}"#
    let catalogue = try FlowCatalogue.builtIn(accounts: Doorman(), quotes: .json(Array(one.utf8)))
    // Lists and details start each other without end.
    var limits = Limits()
    if flow.hasPrefix("kanji") { limits.maxDepth = 4 }
    let inputs: [String: [[String: JSONValue]]] = [
      "kanji-list": [[:], ["word": "日本"]], "kanji-detail": [["kanji": "水"]], "product-details": [["product": "lamp"]],
    ]
    return FlowExplorer(
      flow, in: catalogue, inputs: inputs[flow] ?? [[:]],
      answers: ["log-in": ["demo", "locked", "broken"].map { ["username": .string($0), "password": "open-sesame"] }],
      limits: limits)
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
}
