import Testing
import renderer_trial

@Suite("The review of a renderer's calls", .timeLimit(.minutes(5)))
struct ConductReviewTests {
  private func review(_ lines: String...) -> ConductReview {
    var review = ConductReview(ignoring: [":1.0"])
    for line in lines { if let message = ObservedMessage(line: line) { review.receive(message) } }
    return review
  }

  private func call(_ member: String, _ data: String, cookie: Int = 9, sender: String = ":1.5") -> String {
    let interface =
      switch member {
      case "AddMatch": "org.freedesktop.DBus"
      case "GetAll": "org.freedesktop.DBus.Properties"
      case "Delegate": "org.coordinatord.Coordinator1.Coordinator"
      default: "org.coordinatord.Coordinator1.Router"
      }
    return """
      {"type":"method_call","cookie":\(cookie),"sender":"\(sender)","interface":"\(interface)","member":"\(member)",\
      "payload":{"type":"","data":\(data)}}
      """
  }

  private func error(_ name: String, _ text: String = "why", to cookie: Int = 9) -> String {
    """
    {"type":"error","cookie":1,"reply_cookie":\(cookie),"destination":":1.5",\
    "error_name":"org.coordinatord.Coordinator1.Error.\(name)","payload":{"type":"s","data":["\(text)"]}}
    """
  }

  private let back = """
    {"type":"signal","cookie":3,"member":"NameOwnerChanged","payload":{"type":"sss","data":["org.coordinatord.Coordinator1","",":1.9"]}}
    """
  private var match: String { call("AddMatch", #"["type='signal'"]"#) }
  private var attach: String { call("Attach", #"[{"kind":{"type":"s","data":"x"}}]"#) }
  private var draft: String { call("SaveDraft", "[1,{},{}]") }

  @Test("A renderer that listens, attaches with its kind, sends 'seen' and saves drafts has no faults")
  func goodRendererHasNoFaults() {
    let delegate = call("Delegate", #"[1,"next",{},{"seen":{"type":"t","data":1}}]"#)
    let review = review(match, attach, delegate, draft, back, attach)
    #expect(review.faults == [])
    #expect(review.remarks == [])
  }

  @Test("A client that never attaches is not a renderer, and the trial's own client is ignored")
  func trialWithoutARendererIsReported() {
    #expect(review(match, call("Attach", "[{}]", sender: ":1.0")).faults == ["no renderer has attached"])
  }

  @Test("Every fault of a renderer is named once")
  func everyFaultIsNamedOnce() {
    let delegate = call("Delegate", #"[1,"next",{},{}]"#)
    let faults = review(
      call("Attach", "[{}]"), delegate, delegate, error("UnknownEvent"), call("Back", "[1,{}]"), error("NotDismissable"), draft,
      error("InvalidPayload"), back
    ).faults
    #expect(
      faults == [
        "it attached before it subscribed to signals: changes in between are lost",
        "Delegate without seen: an answer to a screen that has changed in the meantime would be accepted",
        "it delegated an event that the screen does not offer: why",
        "it offered to go back from a screen whose back is false", "it saved a value that must not be in a draft: why",
        "Attach did not give a kind, so other renderers cannot show where an answer came from",
        "it did not attach again after the daemon came back",
      ])
  }

  @Test("A renderer that polls instead of listening is reported")
  func pollingRendererIsReported() {
    var review = review(match, attach)
    for _ in 0..<41 { ObservedMessage(line: call("GetAll", #"["x"]"#)).map { review.receive($0) } }
    #expect(review.faults == ["it read all screens 41 times: signals announce what has changed"])
  }

  @Test("A lost race, or an answer that the user has to correct, is not a fault")
  func refusalsBeyondItsControlAreExcused() {
    let delegate = call("Delegate", #"[1,"next",{},{"seen":{"type":"t","data":1}}]"#)
    #expect(review(match, attach, delegate, error("StaleScreen"), delegate, error("InvalidPayload")).faults == [])
  }

  @Test("A renderer that sends what cannot be chosen is reported, whether it is an item or an action")
  func disabledChoicesAreReported() {
    let delegate = call("Delegate", #"[1,"select",{},{"seen":{"type":"t","data":1}}]"#)
    let item = error("InvalidPayload").replacing(#"["why"]"#, with: #"["why",{"id":"cannot be chosen: It is frozen."}]"#)
    #expect(
      review(match, attach, delegate, item, delegate, error("Denied", "The basket is empty.")).faults == [
        "it sent an item that cannot be chosen now: why", "it sent an action that cannot be chosen now: The basket is empty.",
      ])
  }

  @Test(
    "A line that is not a message is ignored",
    arguments: ["", "{", "[]", #"{"type":"signal"}"#, "Monitoring bus message stream."])
  func linesThatAreNoMessagesAreIgnored(line: String) { #expect(ObservedMessage(line: line) == nil) }
}
