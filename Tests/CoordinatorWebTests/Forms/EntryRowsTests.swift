import CoordinatorKit
import Platform
import Testing

@testable import CoordinatorWeb
@testable import RendererKit

@Suite("Rows of a list of small objects", .timeLimit(.minutes(5)))
struct EntryRowsTests {
  private static let server = Schema.object(
    Field("ip", .ipAddress(title: "IP address")), Field("port", .integer(title: "Port")).optional,
    Field("secure", .boolean(title: "Encrypted")).optional)
  private static let list = Field("a/b", .array(of: server, title: "Servers", count: 0...3)).optional
  private static let fields = [
    Field("name", .string(title: "Name")), list, Field("password", .secret(title: "Password")),
  ]

  private static func page(_ values: [JSONValue] = [], draft: Draft? = nil, progress: CoordinatorKit.Progress? = nil) -> String {
    Samples.page(
      Screen(
        "f", kind: .form, title: "F", actions: [.primary("send", "Send")], form: Form(fields),
        values: values.isEmpty ? [:] : ["a/b": .array(values)], progress: progress), draft: draft)
  }

  private static func name(_ member: String, _ row: Int) -> String { "entry/a%2Fb/\(row)/\(member)" }

  /// Returns an answer with rows of an address and a port each.
  private static func answer(_ rows: (ip: String, port: String)...) -> FormAnswer { FormAnswer(body(rows), fields: fields) }

  private static func body(_ rows: [(ip: String, port: String)], pressing button: String? = nil) -> FormBody {
    var pairs = [("field.name", "attic"), ("field.password", "open-canary")]
    for (number, row) in rows.enumerated() {
      pairs += [("entry/a%2Fb", String(number)), (name("ip", number), row.ip), (name("port", number), row.port)]
    }
    if let button { pairs.append(("row", button)) }
    let text = pairs.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    return (try? FormBody(decoding: Array(text.utf8))) ?? FormBody()
  }

  @Test("Each entry is a row of controls, and an empty list offers one row")
  func eachEntryIsARow() {
    let page = Self.page([["ip": "192.0.2.1", "port": 80, "secure": true], ["ip": "::1"]])
    #expect(!page.contains("<textarea"))
    #expect(page.ranges(of: "class=\"entry\"").count == 2)
    #expect(page.contains("name=\"\(Self.name("ip", 0))\" required type=\"text\" value=\"192.0.2.1\""))
    #expect(page.contains("name=\"\(Self.name("port", 0))\" type=\"text\" value=\"80\""))
    #expect(page.contains("name=\"\(Self.name("secure", 0))\" value=\"true\" checked"))
    #expect(page.contains("<legend>Entry 2</legend>"))
    #expect(page.contains("Remove<span class=\"aside\"> entry 2</span>"))
    #expect(page.contains("value=\"add/a/b\""))
    #expect(Self.page().ranges(of: "class=\"entry\"").count == 1)
    let busy = Self.page([["ip": "::1"]], progress: .init(text: "Checking"))
    #expect(!busy.contains("name=\"row\"") && busy.contains("value=\"::1\""))
  }

  @Test("A full list has no button that adds a row, and says why")
  func fullListSaysSo() {
    let page = Self.page([["ip": "192.0.2.1"], ["ip": "192.0.2.2"], ["ip": "192.0.2.3"]])
    #expect(page.contains("There can be at most 3 entries."))
    #expect(!page.contains("add/a/b"))
  }

  @Test("Rows become entries with the types of their fields, and a row without text becomes none")
  func rowsBecomeEntries() {
    let answer = Self.answer((" 192.0.2.1 ", "80"), ("", ""), ("::1", "x"))
    #expect(
      answer.payload["a/b"] == [
        ["ip": " 192.0.2.1 ", "port": 80, "secure": false], ["ip": "::1", "port": "x", "secure": false],
      ])
    #expect(answer.typed["a/b"]?.count == 3)
    #expect(answer.typedEntries["a/b"]?.count == 2)
    #expect(Self.answer(("", "")).payload["a/b"] == nil)
    #expect(answer.draft(replacing: [Self.name("ip", 0)], in: [:])["a/b"] == answer.payload["a/b"])
  }

  @Test("What was typed in rows appears again, even if it is no value")
  func typedRowsAppearAgain() {
    let answer = Self.answer(("half an \"address", "4x"), ("", "81"))
    let page = Self.page(draft: Draft(screen: 1, typed: answer.typed))
    #expect(page.contains("value=\"half an &quot;address\""))
    #expect(page.contains("value=\"4x\"") && page.contains("value=\"81\""))
    // A draft of another renderer that is not a valid entry.
    #expect(Self.page(draft: Draft(screen: 1, typed: ["a/b": ["here"]])).contains("value=\"here\""))
  }

  @Test("Buttons add and remove rows of what was typed, and secrets are not kept")
  func buttonsAddAndRemoveRows() throws {
    func change(_ button: String, _ rows: (ip: String, port: String)...) throws -> (draft: Draft, place: String?) {
      let body = Self.body(rows, pressing: button)
      let change = try #require(RowChange(body, of: Self.fields))
      var draft = Draft(screen: 1, typed: FormAnswer(body, fields: Self.fields).typed)
      draft.reasons = ["a/b[0].ip": "is wrong", "a/b": "is wrong", "name": "is taken"]
      let place = change.apply(to: &draft, of: Self.fields)
      return (draft, place)
    }
    let added = try change("add/a/b", ("192.0.2.1", ""))
    #expect(added.place == "field-1-1-0")
    #expect(added.draft.reasons == ["name": "is taken"])
    let page = Self.page(draft: added.draft)
    #expect(page.ranges(of: "class=\"entry\"").count == 2)
    #expect(page.contains("value=\"attic\"") && !page.contains("canary"))
    #expect(page.contains("id=\"field-1-1-0\""))
    let removed = try change("0/a/b", ("192.0.2.1", ""), ("::1", "80"))
    #expect(removed.place == "field-1-group")
    #expect(EntryRows(Self.list, lines: removed.draft.typed["a/b"] ?? []).rows.map { $0["ip"] } == [["::1"]])
    #expect(try change("7/a/b", ("::1", "")).draft.typed["a/b"]?.count == 1)
    #expect(try change("add/a/b", ("1", ""), ("2", ""), ("3", "")).draft.typed["a/b"]?.count == 3)
    for button in ["add/name", "add", "x/a/b", ""] { #expect(RowChange(Self.body([], pressing: button), of: Self.fields) == nil) }
  }

  @Test("An error in a row is shown at its control, and the summary links to it")
  func errorInARowIsAtItsControl() {
    let answer = Self.answer(("192.0.2.1", "80"), ("", ""), ("", "81"))
    let reasons = ["a/b[1].ip": "is required", "a/b": "must have at most 1 entry"]
    let page = Self.page(draft: Draft(screen: 1, typed: answer.typedEntries, reasons: reasons))
    #expect(page.contains("<a href=\"#field-1-1-0\" dir=\"auto\">Servers, entry 2: IP address is required</a>"))
    #expect(page.contains("<a href=\"#field-1-group\" dir=\"auto\">Servers must have at most 1 entry</a>"))
    #expect(page.contains("id=\"field-1-1-0-error\""))
    #expect(!page.contains("id=\"field-1-0-0-error\""))
  }

  @Test("Enter in a field sends the form, although buttons of rows come first")
  func enterStillSendsTheForm() throws {
    let form = try #require(Self.page().split(separator: "id=\"answer\"").last)
    let first = try #require(form.split(separator: "<button").dropFirst().first)
    #expect(first.contains("value=\"send\" tabindex=\"-1\" aria-hidden=\"true\""))
  }

  @Test("The line breaks of a text in an entry are plain, as those of other fields are")
  func lineBreaksOfEntriesArePlain() throws {
    let entry = Schema.object(Field("note", .string(title: "Note", length: 0...2_000)))
    let fields = [Field("f", .array(of: entry, title: "Notes")), Field("text", .string(title: "Text", length: 0...2_000))]
    let body = try FormBody(decoding: Array("entry/f=0&entry/f/0/note=a%0D%0Ab&field.text=a%0D%0Ab".utf8))
    let payload = FormAnswer(body, fields: fields).payload
    #expect(payload == ["f": [["note": "a\nb"]], "text": "a\nb"])
    #expect(payload["f"]?.array?.first?["note"]?.string.map { Array($0.utf8) } == Array("a\nb".utf8))
  }
}
