import CoordinatorKit
import CoordinatorTestKit
import Testing

/// A flow whose names have marks, some of them in both normalizations.
private actor Cafe: Coordinator {
  static let flow = FlowDescription(
    "Kiosk", title: "Kiosk", input: Form(Field("caf\u{E9}", .string(title: "Drink"), isRequired: false)))

  /// A value whose text begins with a mark, as what a user types may.
  struct Typed: Codable, Hashable, CustomStringConvertible {
    var description: String { "\u{301}secret" }
  }

  enum Route: Codable, Hashable { case list, several, twins, form, detail(Typed), done(String) }

  struct Input: Codable {
    var drink: String?

    enum CodingKeys: String, CodingKey { case drink = "caf\u{E9}" }
  }

  let context = Context()

  func start() { router.present(.list) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .list:
      .list(
        "list", title: "Drinks", items: Self.drinks,
        actions: ["pay\u{E9}", "several", "twins", "form", "leave"].map { Action($0, verbatim: $0) })
    case .several: .list("several", title: "Drinks", items: Self.drinks).choosing(1...3)
    case .twins:
      .list("twins", title: "Files", items: [Item("e\u{301}", "One"), Item("\u{E9}", "Two"), Item("x", "Three")]).choosing(1...3)
    case .form:
      .form(
        "form", title: "Form",
        form: Form(
          Field("name", .string(title: "Name"), isRequired: false), Field("caf\u{E9}", .string(title: "Drink"), isRequired: false)
        ),
        actions: [.primary("send", "Send")])
    case .detail: .message("detail", title: "Detail")
    case .done(let text): .message("done", title: Text(verbatim: text))
    }
  }

  private static let drinks = [Item("caf\u{E9}", "Coffee"), Item("\u{3A9}", "Omega"), Item("tea", "Tea")]

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case Event.select: router.present(.done(try event.selections.joined(separator: " ")))
    case "several": router.present(.several)
    case "twins": router.present(.twins)
    case "form": router.present(.form)
    case "leave":
      do { try router.dismiss(to: .detail(Typed())) } catch { router.present(.done("\(error)")) }
    case "send": router.present(.done(event.payload.string("caf\u{E9}") ?? "nothing"))
    default: router.present(.done(event.name))
    }
  }
}

/// Swift takes canonically equivalent strings for equal; scripts, providers and the bus do not.
@Suite("Answers that are only canonically equivalent to what is offered", .timeLimit(.minutes(5)))
struct CanonicalAnswerTests {
  private func start(_ commands: String...) async throws -> TestFlow {
    let flow = try await TestFlow.start { Cafe() }
    for command in commands { try await flow.send(command) }
    return flow
  }

  /// Expects that a call is refused and changes nothing.
  private func expect(
    _ error: CallError, in flow: TestFlow, sourceLocation: SourceLocation = #_sourceLocation,
    from call: (TestFlow) async throws -> Void
  ) async throws {
    let before = try await (flow.state.revision, flow.names, flow.coordinators, flow.top.draft)
    await #expect(throws: error, sourceLocation: sourceLocation) { try await call(flow) }
    let after = try await (flow.state.revision, flow.names, flow.coordinators, flow.top.draft)
    #expect(before == after, sourceLocation: sourceLocation)
  }

  private func bytes(of text: String) -> [UInt8] { Array(text.utf8) }

  @Test("Rule 7: An id of a row in another normalization is refused", arguments: ["cafe\u{301}", "\u{2126}"])
  func rowIsRefused(id: String) async throws {
    let flow = try await start()
    try await expect(.invalidPayload(["id": "is not in the list"]), in: flow) { try await $0.select(id) }
    try await flow.select("caf\u{E9}")
    #expect(bytes(of: try await flow.top.content.title) == bytes(of: "caf\u{E9}"))
  }

  @Test("Rule 7: An id among several in another normalization is refused", arguments: ["cafe\u{301}", "\u{2126}"])
  func oneOfSeveralRowsIsRefused(id: String) async throws {
    let flow = try await start("several")
    let reason = "contains \(id), which is not in the list"
    for ids: JSONValue in [[.string(id)], [.string(id), "tea"], ["tea", .string(id)]] {
      try await expect(.invalidPayload(["ids": reason]), in: flow) { try await $0.send(Event.select, ["ids": ids]) }
    }
    try await expect(.invalidPayload(["id": "is not in the list"]), in: flow) { try await $0.select(id) }
    try await flow.send(Event.select, ["ids": ["caf\u{E9}", "\u{3A9}"]])
    #expect(bytes(of: try await flow.top.content.title) == bytes(of: "caf\u{E9} \u{3A9}"))
  }

  @Test("Rule 7: Of two rows whose ids are canonically equivalent, each can be chosen, alone, with others, and both")
  func eachTwinIsChosen() async throws {
    let choices = [
      ["e\u{301}"], ["\u{E9}"], ["e\u{301}", "x"], ["x", "\u{E9}"], ["e\u{301}", "\u{E9}"], ["\u{E9}", "e\u{301}", "x"],
    ]
    for ids in choices {
      let flow = try await start("twins")
      try await flow.send(Event.select, ["ids": .array(ids.map { .string($0) })])
      #expect(bytes(of: try await flow.top.content.title) == bytes(of: ids.joined(separator: " ")))
    }
    for id in ["e\u{301}", "\u{E9}"] {
      let flow = try await start("twins")
      try await flow.select(id)
      #expect(bytes(of: try await flow.top.content.title) == bytes(of: id))
    }
  }

  @Test("Rule 7: The id of an action in another normalization is an unknown event")
  func actionIsRefused() async throws {
    let flow = try await start()
    let offered = ["pay\u{E9}", "several", "twins", "form", "leave", Event.select]
    let error = UnknownEvent("paye\u{301}", coordinator: flow.tree.root, screen: "list", offered: offered)
    try await expect(.unknownEvent(error), in: flow) { try await $0.send("paye\u{301}") }
    try await flow.send("pay\u{E9}")
    #expect(bytes(of: try await flow.top.content.title) == bytes(of: "pay\u{E9}"))
  }

  @Test("Rule 7: A key of a payload in another normalization is no known field")
  func keyOfPayloadIsRefused() async throws {
    let flow = try await start("form")
    for payload: [String: JSONValue] in [["cafe\u{301}": "milk"], ["name": "Ada", "cafe\u{301}": "milk"]] {
      try await expect(.invalidPayload(["cafe\u{301}": "is not a known field"]), in: flow) { try await $0.send("send", payload) }
    }
    try await flow.send("send", ["caf\u{E9}": "milk"])
    #expect(try await flow.top.content.title == "milk")
  }

  @Test("A key of a draft in another normalization is no known field, and nothing is kept")
  func keyOfDraftIsRefused() async throws {
    let flow = try await start("form")
    let id = try await flow.top.id
    try await flow.call(.saveDraft(id, ["name": "Ada"]))
    try await expect(.invalidPayload(["cafe\u{301}": "is not a known field"]), in: flow) {
      try await $0.call(.saveDraft(id, ["name": "Eve", "cafe\u{301}": "milk"]))
    }
    #expect(try await flow.top.draft == ["name": "Ada"])
    try await flow.call(.saveDraft(id, ["caf\u{E9}": "milk"]))
    #expect(try await flow.top.draft.keys.map { bytes(of: $0) } == [bytes(of: "caf\u{E9}")])
  }

  @Test("A key of an input in another normalization starts nothing")
  func keyOfInputIsRefused() async throws {
    let error = CallError.refused(.invalidInput(["cafe\u{301}": "is not a known field"]))
    await #expect(throws: error) { try await TestFlow.start(input: ["cafe\u{301}": "milk"]) { Cafe() } }
    let flow = try await start()
    try await expect(error, in: flow) { try await $0.startChild("Kiosk", input: ["cafe\u{301}": "milk"]) }
    try await flow.startChild("Kiosk", input: ["caf\u{E9}": "milk"])
    #expect(try await flow.coordinators.count == 2)
  }

  @Test("A name that is canonically equivalent to that of a flow, as the sign for kelvin is to K, starts nothing")
  func flowIsRefused() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Cafe() }
    let error = CallError.refused(.unknownFlow("\u{212A}iosk"))
    let flows = catalogue
    await #expect(throws: error) { try await TestFlow.start("\u{212A}iosk", in: flows) }
    #expect(flows.schemas(of: "\u{212A}iosk") == nil && flows.schemas(of: "Kiosk") != nil)
    let flow = try await start()
    try await expect(error, in: flow) { try await $0.startChild("\u{212A}iosk") }
  }

  @Test("The error about a route that is not shown leaves its values out, also if they begin with a mark")
  func valueOfRouteIsHidden() async throws {
    let flow = try await start("leave")
    #expect(
      try await flow.top.content.title == "flow_1 does not show the route detail, so nothing above it can be dismissed")
  }
}
