import CoordinatorClient
import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("The summary of an ended flow", .timeLimit(.minutes(1)))
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

  @Test("A result is shown in the words and the order of its schema; fields without a value are omitted")
  func resultInWords() {
    let result: [String: JSONValue] = ["urgent": true, "visit": "sick", "pain": 3, "note": "", "zone": .null, "by": "Ada"]
    #expect(
      rows(.finished(result), flow) == ["Pain, from 1 to 5: 3", "Urgent: yes", "What for?: My pet is sick", "by: Ada"])
  }

  @Test("Without a schema, a result is shown as it is")
  func resultWithoutSchema() {
    #expect(rows(.finished(["b": 2, "a": ["x", "y"]])) == ["a: x, y", "b: 2"])
  }

  @Test("Answers that were under review are shown instead of the result")
  func reviewedAnswers() {
    let review = [ReviewRow("Name", "Ada\u{202e}\nLovelace")]
    #expect(rows(.finished(["name": "x"]), flow, review: review) == ["Name: Ada\nLovelace"])
    #expect(rows(.cancelled, flow, review: review) == [])
  }

  @Test("A failure is shown by its message, or by its code")
  func failures() {
    #expect(EndSummary(.failed(code: "disk", message: "The disk is full.")).explanation == "The disk is full.")
    #expect(EndSummary(.failed(code: "disk", message: "")).explanation == "The flow has failed (disk).")
    let technical = FlowEnd.failed(code: "error", message: "a handler threw Gone", isTechnical: true)
    #expect(EndSummary(technical).explanation == "The flow has failed (error).")
    #expect(EndSummary(technical).lines == ["The flow has failed (error)."])
    #expect(technical.sentence(of: "Visit") == "Visit has failed.")
    #expect(technical.lines == ["The flow has failed (error).", "  a handler threw Gone"], "as scripts know it")
    #expect(FlowEnd(outcome: "failed", result: technical.result) == technical)
    let error = ClientError.refused(.flowFailed(message: "error: a handler threw Gone", code: "error", isTechnical: true))
    #expect(error.sentence == "The flow has failed (error).")
    #expect(error.lines == ["error: a handler threw Gone"])
    #expect(!EndSummary(.stopped).explanation.contains("coordinatord"))
  }
}
