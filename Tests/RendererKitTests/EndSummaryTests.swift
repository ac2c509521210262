import CoordinatorClient
import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("What is told of a flow that has ended", .timeLimit(.minutes(1)))
struct EndSummaryTests {
  private let flow = FlowListing(
    name: "visit", title: "A visit", summary: "", input: nil,
    result: .object(
      Field("visit", .choice(title: "What for?", [("sick", "My pet is sick"), ("well", "Only a check")])),
      Field("pain", .integer(title: "Pain, from 1 to 5")), Field("urgent", .boolean(title: "Urgent")),
      Field("note", .string(title: "Note"))))

  private func rows(_ end: FlowEnd, _ flow: FlowListing? = nil, review: [ReviewRow] = []) -> [String] {
    EndSummary(end, of: flow, review: review).rows.map { "\($0.title): \($0.value)" }
  }

  @Test("A result is told in the words of its schema and in its order; what has no value is left out")
  func resultInWords() {
    let result: [String: JSONValue] = ["urgent": true, "visit": "sick", "pain": 3, "note": "", "zone": .null, "by": "Ada"]
    #expect(
      rows(.finished(result), flow) == ["Pain, from 1 to 5: 3", "Urgent: yes", "What for?: My pet is sick", "by: Ada"])
  }

  @Test("Without a schema, a result is told as it is")
  func resultWithoutSchema() {
    #expect(rows(.finished(["b": 2, "a": ["x", "y"]])) == ["a: x, y", "b: 2"])
  }

  @Test("Answers that were under review are told instead of the result")
  func reviewedAnswers() {
    let review = [ReviewRow("Name", "Ada\u{202e}\nLovelace")]
    #expect(rows(.finished(["name": "x"]), flow, review: review) == ["Name: Ada\nLovelace"])
    #expect(rows(.cancelled, flow, review: review) == [])
  }

  @Test("A failure is told in its own words, or by its code")
  func failures() {
    #expect(EndSummary(.failed(code: "disk", message: "The disk is full.")).explanation == "The disk is full.")
    #expect(EndSummary(.failed(code: "disk", message: "")).explanation == "The flow has failed (disk).")
    #expect(!EndSummary(.stopped).explanation.contains("coordinatord"))
  }
}
