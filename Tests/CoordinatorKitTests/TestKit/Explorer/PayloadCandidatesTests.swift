import CoordinatorKit
import Testing

@testable import CoordinatorTestKit

@Suite("Payload candidates of forms", .timeLimit(.minutes(5)))
struct PayloadCandidatesTests {
  @Test("Every kind of field has candidates, and its schema accepts all of them")
  func everyFieldKindHasValidCandidates() {
    let fields = [
      Field("text", .string(title: "Text", length: 2...5)), Field("free", .string(title: "Free")),
      Field("digits", .string(title: "Digits", pattern: "^[0-9]{4}$")), Field("pin", .secret(title: "Pin", length: 4...8)),
      Field("mail", .email(title: "Mail")), Field("count", .integer(title: "Count", range: 3...9)),
      Field("least", .integer(title: "Least", range: Int64.max...)), Field("share", .number(title: "Share", range: 0...1)),
      Field("open", .number(title: "Open", range: Bounds(lower: .exclusive(0), upper: .exclusive(0.5)))),
      Field("yes", .boolean(title: "Yes")), Field("size", .choice(title: "Size", of: [.init("s"), .init("m"), .init("l")])),
      Field(
        "tags", .array(of: .choice(title: "Tag", of: [.init("a"), .init("b")]), title: "Tags", count: 1...2, isUnique: true)),
    ]
    for field in fields {
      let payloads = PayloadCandidates(form: Form(field), values: [:]).payloads
      #expect(!payloads.isEmpty, "\(field.name)")
      for payload in payloads {
        #expect(Form(field).schema.check(payload).isEmpty, "\(field.name): \(JSONValue.object(payload).canonicalText)")
      }
    }
  }

  @Test("Candidates include every choice, both booleans, both ends of a range, and the shortest and longest string")
  func candidatesCoverChoicesAndBounds() {
    #expect(values(.choice(title: "Size", of: [.init("s"), .init("m"), .init("l")])) == ["s", "m", "l"])
    #expect(values(.boolean(title: "Yes")) == [true, false])
    #expect(values(.integer(title: "Count", range: 3...9)) == [3, 9])
    #expect(values(.string(title: "Text", length: 2...5)) == ["aa", "aaaaa"])
    #expect(values(.string(title: "Text", length: 2...5, default: "abc")) == ["abc", "aa", "aaaaa"])
  }

  @Test("A filled-in value comes first among the candidates if it is valid")
  func validFilledInValueComesFirst() {
    let form = Form(Field("count", .integer(title: "Count", range: 1...3)))
    #expect(PayloadCandidates(form: form, values: ["count": 2]).payloads == [["count": 2], ["count": 1], ["count": 3]])
    #expect(PayloadCandidates(form: form, values: ["count": 9]).payloads == [["count": 1], ["count": 3]])
  }

  @Test("Optional fields are tried both ways: in all combinations if there are few, else one field at a time")
  func combinationsAreTriedWithinBounds() {
    let small = Form(Field("a", .boolean(title: "A")), Field("b", .choice(title: "B", of: [.init("x")])).optional)
    #expect(
      Set(PayloadCandidates(form: small, values: [:]).payloads) == [
        ["a": true], ["a": false], ["a": true, "b": "x"], ["a": false, "b": "x"],
      ])
    let large = Form((0..<20).map { Field("f\($0)", .boolean(title: "F"), isRequired: $0 % 2 == 0) })
    let payloads = PayloadCandidates(form: large, values: [:]).payloads
    #expect(payloads.count == 1 + 1 + 20 + 10)
    #expect(Set(payloads).count == payloads.count)
  }

  @Test("A field without a known valid value yields no payload")
  func fieldWithoutKnownValueHasNoPayload() {
    let form = Form(Field("code", .string(title: "Code", pattern: "^[0-9]{2}-[a-z]$")))
    #expect(PayloadCandidates(form: form, values: [:]).payloads.isEmpty)
    #expect(PayloadCandidates(form: form, values: ["code": "12-a"]).payloads == [["code": "12-a"]])
  }

  @Test("Fields that are shown at times are tried while they are shown, and left out otherwise")
  func hiddenFieldsAreLeftOut() {
    let security = Field("security", .choice(title: "Security", [("open", "Open"), ("wpa", "WPA")]))
    let word = Field("word", .string(title: "Word", length: 2...3)).shown(if: "security", is: "wpa")
    let few = PayloadCandidates(form: Form(security, word), values: [:]).payloads
    #expect(few == [["security": "open"], ["security": "wpa", "word": "aa"], ["security": "wpa", "word": "aaa"]])
    let many = PayloadCandidates(form: Form(security, word), values: [:], mostCombinations: 1).payloads
    #expect(many == [["security": "open"], ["security": "wpa", "word": "aa"]])
    // A shown field without a known value cannot be tried, but the rest of the form can.
    let code = Field("code", .string(title: "Code", pattern: "^[0-9]{2}-[a-z]$")).shown(if: "security", is: "wpa")
    #expect(PayloadCandidates(form: Form(security, code), values: [:]).payloads == [["security": "open"]])
  }

  @Test("Lists of small objects are tried empty and with entries that their schema accepts")
  func entriesAreCandidates() {
    let host = Schema.object(
      Field("ip", .ipAddress(title: "IP address")), Field("port", .integer(title: "Port", range: 1...9)).optional)
    let field = Field("hosts", .array(of: host, title: "Hosts", count: 0...2))
    let found = values(field.schema)
    #expect(found.contains([]))
    #expect(found.contains([["ip": "192.0.2.1"]]))
    #expect(found.contains([["ip": "192.0.2.1", "port": 1]]))
    #expect(found.allSatisfy { Form(field).schema.check(["hosts": $0]).isEmpty })
  }

  private func values(_ schema: Schema) -> [JSONValue] {
    PayloadCandidates(form: Form(Field("v", schema)), values: [:]).payloads.compactMap { $0["v"] }
  }
}
