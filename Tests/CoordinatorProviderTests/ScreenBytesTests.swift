import CoordinatorDaemon
import CoordinatorKit
import DBus
import DialogTrial
import Forms
import Foundation
import ProgramQuestions
import ScriptEngine
import Testing

/// The bytes that renderers receive are part of the contract, regardless of the origin of the screen and its path.
@Suite("A screen has the same bytes, whether a provider, a script or a program describes it", .timeLimit(.minutes(1)))
struct ScreenBytesTests {
  @Test("What a provider describes is shown as it was by earlier versions")
  func provided() throws {
    try expect(
      try Self.descriptions.map { name, description in
        let decision = try AnswerDecoder().decision([.vardict(.answer(screen: description))])
        return (name, try Self.text(#require(decision.screens["a"]).content))
      }, toBe: "provided")
  }

  @Test("What a provider describes in full is stored as it was by earlier versions")
  func stored() throws {
    try expect(
      try Self.descriptions.map { name, description in
        let decision = try AnswerDecoder().decision([.vardict(.answer(screen: description))])
        var full = try #require(decision.screens["a"]).content.description()
        full["back"] = description["back"]
        let again = try AnswerDecoder().decision([.vardict(.answer(screen: full))])
        return (name, try StoredText.encode(#require(again.screens["a"])))
      }, toBe: "stored")
  }

  @Test("What earlier versions have stored, which was what a provider had sent, is shown as it was")
  func formerlyStored() throws {
    let texts = try Self.sample("formerly-stored").map { line in
      let name = line.prefix { $0 != ":" }
      let screen = try StoredText.decode(DescribedScreen.self, from: String(line.dropFirst(name.count + 2)))
      return (String(name), try Self.text(screen.content))
    }
    try expect(texts, toBe: "provided")
  }

  @Test("What a script asks is shown as it was by earlier versions, open, answered and after Back")
  func scripted() throws {
    var shown: [(String, String)] = []
    for (name, screen, event, payload) in Self.questions {
      var log = ScriptLog()
      var screens = RunScreens()
      func add(_ when: String) throws {
        let described = try #require(log.shown(name, screens))
        shown.append(("\(name) \(when)", try Self.text(described.content) + " \(described.back)"))
      }
      for (entry, name) in [name, "last"].enumerated() {
        let json: JSONValue = ["ask": .string(name), "entry": .integer(Int64(entry)), "screen": screen, "timeout": 90]
        guard case .operation(let operation, _) = try ScriptMessage(json: json), case .ask(let question) = operation.kind else {
          Issue.record("no question: \(json)")
          continue
        }
        screens.questions[name] = question
        guard entry == 0 else { continue }
        _ = log.take(operation, at: 0, from: Self.source)
      }
      try add("open")
      _ = log.answer(event, payload, secrets: [], on: name)
      _ = log.take(ScriptOperation("do", .step(StepRequest(busy: "Working"))), at: 1, from: Self.source)
      try add("answered")
      _ = log.dropLast()
      _ = log.take(ScriptOperation(name, .ask(try #require(screens.questions[name]))), at: 0, from: Self.source)
      try add("again")
    }
    try expect(shown, toBe: "scripted")
  }

  @Test("What programs ask is shown as it was by earlier versions")
  func asked() throws {
    let calls: [(String, [String])] = [
      ("message", ["whiptail", "--title", "Hello", "--msgbox", "Two\nlines", "8", "40"]),
      ("confirmation", ["whiptail", "--defaultno", "--yesno", "Sure?", "8", "40"]),
      ("menu", ["whiptail", "--default-item", "b", "--menu", "Which?", "15", "40", "4", "a", "First", "b", "Second"]),
      ("tags", ["dialog", "--menu", "Which?", "15", "40", "4", "apple", "A fruit", "leek", "A vegetable"]),
      ("checklist", ["whiptail", "--checklist", "Which?", "15", "40", "4", "1", "One", "on", "2", "Two", "off"]),
      ("radiolist", ["whiptail", "--radiolist", "Which?", "15", "40", "4", "1", "One", "on", "2", "Two", "off"]),
      ("entry", ["whiptail", "--inputbox", "Name?", "8", "40", "Ada"]),
      ("password", ["whiptail", "--backtitle", "Step 2 of 3", "--passwordbox", "Password?", "8", "40"]),
      ("form", ["dialog", "--form", "Who?", "15", "40", "4", "Name:", "1", "1", "Ada", "1", "10", "20", "0"]),
      ("range", ["dialog", "--rangebox", "How many?", "8", "40", "1", "9", "5"]),
      ("marked", ["dialog", "--colors", "--msgbox", "This is \\Zbbold\\Zn.", "8", "40"]),
      ("timeout", ["dialog", "--timeout", "30", "--extra-button", "--help-button", "--yesno", "Sure?", "8", "40"]),
      ("shown", ["whiptail", "--infobox", "Please wait", "8", "40"]),
    ]
    try expect(
      try calls.map { name, words in
        var call = DialogInvocation(
          words[0] == "whiptail" ? .whiptail : .dialog, words.dropFirst().map { ProgramText($0) })
        call.writable = [0, 1, 2, 3]
        switch call.step(after: []) {
        case .ask(let question), .show(let question, _): return (name, try Self.text(question.screen))
        case let other:
          Issue.record("\(other)")
          return (name, "")
        }
      }, toBe: "asked")
  }

  @Test("What the recorded calls of whiptail and dialog ask is shown as it was by earlier versions")
  func recorded() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../ProgramsTests/ProgramQuestions/Samples/dialog.json")
    let calls = try JSONDecoder().decode([DialogCase].self, from: Data(contentsOf: file))
    let screens = calls.flatMap { $0.play().screens ?? [] }
    let texts = try screens.map { try Self.text(Screen(describedAs: #require($0.object))) }
    try expect([("\(texts.count) screens", "\(Digest(of: texts, as: .sha256))")], toBe: "recorded")
  }

  // MARK: Samples

  private static func text(_ screen: Screen) throws -> String {
    try screen.validate()
    return text(.vardict(try screen.description()))
  }

  /// A value with its types, as D-Bus has them.
  private static func text(_ value: Value) -> String {
    switch value {
    case .variant(let inner): "<\(inner.type) \(text(inner))>"
    case .array(_, let elements): "[\(elements.map(text).joined(separator: ", "))]"
    case .dictionary(_, _, let entries):
      "{\(entries.map { text($0.key) + ": " + text($0.value) }.joined(separator: ", "))}"
    case .string(let string): "\(string.debugDescription)"
    case .boolean(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    default: "\(value)"
    }
  }

  private func expect(_ texts: [(name: String, text: String)], toBe sample: String) throws {
    let lines = texts.map { "\($0): \($1)" }
    let known = try Self.sample(sample)
    #expect(lines.count == known.count)
    for (line, known) in zip(lines, known) { #expect(line == known) }
  }

  private static func sample(_ name: String) throws -> [String] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
    let file = directory.appending(path: "\(name)-screens.txt")
    return try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let source = ScriptSource(now: 1_700_000_000_000_000, random: { 0.25 }, uuid: { "a" })

  private static let actions: Value = .vardicts([
    [
      "id": .string("go"), "title": .string("Go"), "role": .string("primary"), "summary": .string("Away from here"),
      "confirm": .string("Really?"),
    ],
    ["id": .string("stay"), "title": .string("Stay"), "role": .string("normal"), "disabled": .string("There is no time.")],
    ["id": .string("stop"), "title": .string("Stop"), "role": .string("cancel")],
    ["id": .string("erase"), "title": .string("Erase"), "role": .string("destructive")],
  ])

  private static func screen(_ kind: String, _ rest: [String: Value]) -> [String: Value] {
    ["name": .string("place"), "kind": .string(kind), "title": .string("A title"), "body": .string("A body.")].merging(
      ["actions": actions].merging(rest) { $1 }
    ) { $1 }
  }

  private static let schema: Value =
    (try? Value.object([
      "type": "object", "required": ["name"],
      "properties": [
        "name": ["type": "string", "title": "Name", "minLength": 1, "maxLength": 8, "x-hint": "short"],
        "age": ["type": "integer", "title": "Age", "minimum": 0, "default": 7],
        "size": ["title": "Size", "oneOf": [["const": "s", "title": "Small"], ["const": "l", "title": "Large"]]],
        "pin": ["type": "string", "title": "PIN", "writeOnly": true, "description": "Four digits"],
        "tags": ["type": "array", "title": "Tags", "items": ["type": "string"], "uniqueItems": true],
      ],
    ])) ?? .vardict([:])

  private static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  /// Descriptions of all kinds with all keys, and some that leave out what may be missing.
  private static let descriptions: [(String, [String: Value])] = [
    (
      "menu", screen("menu", ["suggested": .string("go"), "accent": .string("#2F5BD3"), "until": .uint64(1_700_000_000_000_000)])
    ),
    ("bare", ["kind": .string("message"), "title": .string("A title")]),
    (
      "message",
      screen(
        "message",
        [
          "messages": .vardicts([
            ["level": .string("error"), "code": .string("a"), "text": .string("Wrong."), "field": .string("name")],
            ["level": .string("info"), "code": .string("b"), "text": .string("Right.")],
          ]),
          "blocks": .vardicts([
            [
              "kind": .string("paragraph"),
              "spans": .vardicts([
                ["text": .string("See "), "style": .string("strong")],
                ["text": .string("here"), "link": .string("https://example.org")],
              ]),
            ], ["kind": .string("bullet"), "spans": .vardicts([["text": .string("x"), "style": .string("code")]])],
          ]), "step": .vardict(["number": .uint64(1), "count": .uint64(2)]), "back": .boolean(false),
        ])
    ),
    (
      "list",
      screen(
        "list",
        [
          "items": .vardicts([
            ["id": .string("a"), "title": .string("A"), "subtitle": .string("first"), "group": .string("Letters")],
            ["id": .string("b"), "title": .string("B"), "group": .string("Letters"), "disabled": .string("Taken.")],
          ]), "choosing": .vardict(["initial": .strings(["a"]), "min": .uint64(0), "max": .uint64(2)]),
          "suggested": .strings(["a", "b"]),
        ])
    ),
    ("one of a list", screen("list", ["items": .vardicts([]), "choosing": .vardict([:])])),
    (
      "form",
      screen(
        "form",
        [
          "schema": schema, "fields": .strings(["size", "name"]),
          "values": .vardict(["name": .string("Ada"), "age": .int64(36), "tags": .strings([])]),
        ])
    ),
    ("progress", screen("progress", ["progress": .vardict(["fraction": .double(0.25), "text": .string("Working")])])),
    ("complete", screen("progress", ["progress": .vardict(["fraction": .double(1)])])),
    ("busy", screen("message", ["busy": .string("Working")])),
    ("silently busy", screen("form", ["busy": .string(""), "schema": schema])),
    ("code", screen("message", ["picture": .vardict(["code": .string("WIFI:S:home;;")])])),
    (
      "image",
      screen(
        "message",
        ["picture": .vardict(["type": .string("image/png"), "base64": .string(image), "description": .string("A dot")])])
    ),
    (
      "review",
      screen(
        "message",
        [
          "review": .vardicts([
            ["title": .string("Name"), "value": .string("Ada"), "screen": .uint64(3)],
            ["title": .string("Size"), "value": .string("Large")],
          ])
        ])
    ),
    ("of others", screen("message", ["origin": .vardict(["name": .string("x"), "title": .string("y")])])),
  ]

  private static let fields: JSONValue = [
    "type": "object", "required": ["name"],
    "properties": [
      "name": ["type": "string", "title": "Name"], "pin": ["type": "string", "title": "PIN", "writeOnly": true],
      "count": ["type": "integer", "title": "Count"],
    ],
  ]

  private static let choices: JSONValue = [
    ["id": "small", "title": "Small", "role": "normal"],
    ["id": "large", "title": "Large", "role": "normal", "disabled": "Gone."],
    ["id": "stop", "title": "Stop", "role": "cancel"],
  ]

  /// Questions of all kinds, and what is answered.
  private static let questions: [(String, JSONValue, String, [String: JSONValue])] = [
    ("size", ["kind": "menu", "title": "How large?", "body": "", "actions": choices], "small", [:]),
    (
      "row",
      [
        "kind": "list", "title": "Which?",
        "items": [["id": "a", "title": "A"], ["id": "b", "title": "B", "subtitle": "second"]],
        "actions": choices,
      ], "select", ["id": "b"]
    ),
    (
      "rows",
      [
        "kind": "list", "title": "Which?", "items": [["id": "a", "title": "A"], ["id": "b", "title": "B"]],
        "choosing": ["initial": ["a"], "min": 0, "max": 2],
      ], "select", ["ids": []]
    ),
    (
      "person",
      [
        "kind": "form", "title": "Who?", "schema": fields, "fields": ["name", "count", "pin"], "values": ["name": "Ada"],
        "actions": [["id": "submit", "title": "Continue", "role": "primary"]],
        "messages": [["level": "error", "code": "wrong", "text": "Wrong.", "field": "name"]],
      ], "submit", ["name": "Eve", "count": 2, "pin": ["secret": true]]
    ),
    (
      "done",
      [
        "kind": "message", "title": "Done", "accent": "#2F5BD3", "suggested": "okay",
        "actions": [["id": "okay", "title": "OK", "role": "primary"]],
        "review": [["title": "Name", "value": "Ada"]], "step": ["number": 2],
      ], "okay", [:]
    ),
  ]
}

extension [String: Value] {
  /// The answer of a provider that describes one screen.
  fileprivate static func answer(screen: [String: Value]) -> [String: Value] {
    ["state": .string(""), "screens": .vardict(["a": .vardict(screen)])]
  }
}
