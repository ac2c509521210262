import CoordinatorJournal
import CoordinatorKit
import Foundation
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The printed history", .timeLimit(.minutes(5)))
struct HistoryStyleTests {
  private let style = HistoryStyle(secondsFromGMT: 3_600) { $0 == 1_000 ? "ada" : nil }

  private func entry(
    _ number: UInt64, _ occasion: Occasion, outcome: String? = nil, failures: [HistoryFailure] = []
  ) -> HistoryEntry {
    HistoryEntry(
      number: number, time: 1_700_000_000_250_000, root: CoordinatorPath(root: "pets_1"), occasion: occasion, revision: number,
      outcome: outcome, failures: failures)
  }

  private var entries: [HistoryEntry] {
    let root = CoordinatorPath(root: "pets_1")
    let ada = Caller(user: 1_000, name: ":1.42")
    return [
      entry(1, Occasion(.start, coordinator: root, name: "pets", caller: ada)),
      entry(
        2,
        Occasion(
          .delegate, coordinator: root.child("schedule_visit_1"), name: "well",
          caller: Caller(user: 7, name: ":1.9", way: "terminal"))),
      entry(3, Occasion(.back, caller: Caller(name: ":1.9"))),
      entry(4, Occasion(.timeout, coordinator: root), outcome: "cancelled"),
    ]
  }

  @Test("The history is a table with local times and user names")
  func historyIsATableInLocalTime() {
    var table = HistoryTable(style: style, text: TextStyle())
    #expect(
      table.lines(for: entries) == [
        "TIME                     WHO        WAY       EVENT          COORDINATOR              REVISION  OUTCOME",
        "2023-11-14 23:13:20.250  ada :1.42  -         start pets     pets_1                   1",
        "2023-11-14 23:13:20.250  7 :1.9     terminal  delegate well  pets_1/schedule_visit_1  2",
        "2023-11-14 23:13:20.250  :1.9       -         back           pets_1                   3",
        "2023-11-14 23:13:20.250  -          -         timeout        pets_1                   4         cancelled",
      ])
  }

  @Test("A followed history prints its titles once and keeps the width of its columns")
  func followedHistoryRepeatsNoTitles() {
    var table = HistoryTable(style: style, text: TextStyle())
    #expect(table.lines(for: []).isEmpty)
    _ = table.lines(for: entries)
    #expect(
      table.lines(for: [entry(5, Occasion(.back))]) == [
        "2023-11-14 23:13:20.250  -          -         back           pets_1                   5"
      ])
  }

  @Test("Below an entry of the history is what failed, with the whole reason, and it is in the JSON of the entry")
  func failuresAreBelowTheirEntry() {
    let root = CoordinatorPath(root: "pets_1")
    let entry = entry(
      5, Occasion(.work, coordinator: root), outcome: "failed",
      failures: [
        HistoryFailure(Failure(code: "ValueError", message: "first\nlast\u{1B}[2J"), of: root),
        HistoryFailure(Failure(code: "error", message: "a handler threw Gone"), of: root.child("visit_1"), flow: "visit"),
      ])
    var table = HistoryTable(style: style, text: TextStyle())
    #expect(
      table.lines(for: [entry]).dropFirst() == [
        "2023-11-14 23:13:20.250  -    -    work   pets_1       5         failed",
        "  failed in pets_1 (ValueError): first",
        "    last[2J",
        "  pets_1/visit_1 failed (error): a handler threw Gone",
      ])
    let path = "/org/coordinatord/Coordinator1/flows/pets_1"
    #expect(
      style.json(of: entry)["failures"] == [
        ["coordinator": .string(path), "code": "ValueError", "reason": "first\nlast\u{1B}[2J"],
        ["coordinator": .string("\(path)/visit_1"), "flow": "visit", "code": "error", "reason": "a handler threw Gone"],
      ])
  }

  @Test("The history contains no control characters")
  func historyContainsNoControlCharacters() {
    let hostile = Occasion(.delegate, name: "a\u{1B}[2Jb\nc", caller: Caller(name: "\u{202E}:1.1", way: "w\u{1B}[2J"))
    #expect(style.columns(of: entry(1, hostile)).joined() == "2023-11-14 23:13:20.250:1.1w[2Jdelegate a[2Jb cpets_11")
  }

  @Test("The entries of the history are JSON with object paths and without unknown values")
  func historyEntriesAreJSONWithObjectPaths() {
    let path: JSONValue = "/org/coordinatord/Coordinator1/flows/pets_1"
    let objects = entries.map(style.json)
    #expect(
      objects.first == [
        "number": 1, "time": 1_700_000_000_250_000, "root": path, "coordinator": path,
        "event": "start", "name": "pets", "revision": 1, "user": 1_000, "userName": "ada", "sender": ":1.42",
      ])
    #expect(objects[1]["way"] == "terminal")
    #expect(
      objects.last == [
        "number": 4, "time": 1_700_000_000_250_000, "root": path, "coordinator": path,
        "event": "timeout", "revision": 4, "outcome": "cancelled",
      ])
  }

  @Test("The name of user 0 is root")
  func userZeroIsNamedRoot() { #expect(HistoryStyle.systemName(ofUser: 0) == "root") }

  @Test("The history is selected by a name, a path of names, or an object path, and anything else is refused")
  func historyIsSelectedByNameOrPath() throws {
    #expect(try HistoryTool.path("pets_1").text == "pets_1")
    #expect(try HistoryTool.path("pets_1/visit_1").text == "pets_1/visit_1")
    #expect(try HistoryTool.path("/org/coordinatord/Coordinator1/flows/pets_1/visit_1").text == "pets_1/visit_1")
    for text in ["", "/", "/pets_1", "pets_1/", "a//b", "/org/coordinatord/Coordinator1/flows/"] {
      #expect(throws: ToolFailure.self) { try HistoryTool.path(text) }
    }
  }
}
