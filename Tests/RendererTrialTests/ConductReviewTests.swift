import RendererTrial
import Testing

@Suite("What a renderer does on the bus")
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

  private func error(_ name: String, to cookie: Int = 9, _ text: String = "why") -> String {
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

  @Test("one that listens, attaches with its kind, answers with seen and saves drafts has nothing to be blamed for")
  func good() {
    let delegate = call("Delegate", #"[1,"next",{},{"seen":{"type":"t","data":1}}]"#)
    let review = review(match, attach, delegate, draft, back, attach)
    #expect(review.faults == [])
    #expect(review.remarks == [])
  }

  @Test("one that never attaches is no renderer; the trial's own client is not looked at")
  func none() {
    #expect(review(match, call("Attach", "[{}]", sender: ":1.0")).faults == ["no renderer has attached"])
  }

  @Test("each misdeed is named, once")
  func bad() {
    let delegate = call("Delegate", #"[1,"next",{},{}]"#)
    let faults = review(
      call("Attach", "[{}]"), delegate, delegate, error("UnknownEvent"), call("Back", "[1,{}]"), error("NotDismissable"), draft,
      error("InvalidPayload"), back
    ).faults
    #expect(
      faults == [
        "it attached before it listened: what happens in between is lost",
        "Delegate without seen: an answer to a screen that has changed since would be taken",
        "it delegated an event that the screen does not offer: why",
        "it offered a way back from a screen whose back is false", "it saved what must not be in a draft: why",
        "Attach named no kind, so that nobody can be told who has answered",
        "it did not attach again when the daemon came back",
      ])
  }

  @Test("one that asks again and again instead of listening is found out")
  func polling() {
    var review = review(match, attach)
    for _ in 0..<41 { ObservedMessage(line: call("GetAll", #"["x"]"#)).map { review.receive($0) } }
    #expect(review.faults == ["it read all screens 41 times: signals tell what has changed"])
  }

  @Test("that somebody else was faster, or that its user has to correct something, is no fault")
  func excused() {
    let delegate = call("Delegate", #"[1,"next",{},{"seen":{"type":"t","data":1}}]"#)
    #expect(review(match, attach, delegate, error("StaleScreen"), delegate, error("InvalidPayload")).faults == [])
  }

  @Test("what is no message is passed over", arguments: ["", "{", "[]", #"{"type":"signal"}"#, "Monitoring bus message stream."])
  func noMessage(line: String) { #expect(ObservedMessage(line: line) == nil) }
}
