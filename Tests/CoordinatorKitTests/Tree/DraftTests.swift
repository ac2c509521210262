import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Drafts of unsent forms", .timeLimit(.minutes(5)))
struct DraftTests {
  private func form() async throws -> TestFlow {
    let flow = try await TestFlow.probe()
    try await flow.tell(.form)
    return flow
  }

  @Test("A draft is kept with its screen without a new revision, and the next draft replaces it")
  func draftIsKeptWithoutNewRevision() async throws {
    let flow = try await form()
    let (id, revision) = (try await flow.top.id, try await flow.state.revision)
    #expect(try await flow.call(.saveDraft(id, ["name": "Ad"])) == .revision(revision))
    #expect(try await flow.top.draft == ["name": "Ad"])
    #expect(try await flow.call(.saveDraft(id, ["name": .null])) == .revision(revision))
    #expect(try await flow.top.draft == [:])
  }

  @Test("A draft may be incomplete or on a covered screen, and makes no answer stale")
  func draftMayBeIncompleteOrCovered() async throws {
    let flow = try await form()
    let (id, revision) = (try await flow.top.id, try await flow.state.revision)
    try await flow.tell(.push, "above")
    try await flow.call(.saveDraft(id, ["name": "far too long for a name"]))
    try await flow.back()
    #expect(try await flow.top.draft == ["name": "far too long for a name"])
    let payload: [String: JSONValue] = ["name": "Ada", "password": "pass"]
    try await flow.call(
      .delegate(flow.tree.root, screen: id, event: "submit", payload: payload, seen: revision + 2))
  }

  @Test("Rule 8: A draft with a secret is refused by the field's name, and nothing is kept")
  func secretInDraftIsRefused() async throws {
    let flow = try await form()
    let id = try await flow.top.id
    await #expect(throws: CallError.invalidPayload(["password": "is confidential, so it is not stored"])) {
      try await flow.call(.saveDraft(id, ["name": "Ada", "password": "swordfish"]))
    }
    #expect(try await flow.top.draft == [:])
  }

  @Test("A draft with an unknown field, an object, too many bytes, or no current screen is refused")
  func invalidDraftIsRefused() async throws {
    let flow = try await form()
    let id = try await flow.top.id
    await #expect(throws: CallError.invalidPayload(["colour": "is not a known field"])) {
      try await flow.call(.saveDraft(id, ["colour": "red"]))
    }
    await #expect(throws: CallError.invalidPayload(["name": "is not supported here"])) {
      try await flow.call(.saveDraft(id, ["name": .object([:])]))
    }
    await #expect(throws: CallError.refused(.limitExceeded("a draft must not be larger than 64 KiB"))) {
      try await flow.call(.saveDraft(id, ["name": .string(String(repeating: "x", count: 70_000))]))
    }
    await #expect(throws: CallError.unknownScreen(ScreenID(9))) { try await flow.call(.saveDraft(ScreenID(9), [:])) }
    try await flow.back()
    await #expect(throws: CallError.staleScreen(id, .gone)) { try await flow.call(.saveDraft(id, [:])) }
  }

  @Test("A draft may contain the entries of a list as objects or as text, but nothing nested deeper")
  func draftMayContainEntries() async throws {
    let flow = try await form()
    let id = try await flow.top.id
    let entries: JSONValue = [["ip": "192.0.2.1", "port": 80], "half an ent"]
    try await flow.call(.saveDraft(id, ["name": entries]))
    #expect(try await flow.top.draft == ["name": entries])
    let reason = "must be a list of strings, numbers, booleans, or objects of those"
    for deep: JSONValue in [[["ip": ["192.0.2.1"]]], [["ip": ["a": "b"]]], [["192.0.2.1"]]] {
      await #expect(throws: CallError.invalidPayload(["name": reason])) { try await flow.call(.saveDraft(id, ["name": deep])) }
    }
    #expect(try await flow.restarted().top.draft == ["name": entries])
  }

  @Test("A draft stays until its form is accepted: a refusal and other events do not remove it")
  func draftStaysUntilFormIsAccepted() async throws {
    let flow = try await form()
    let id = try await flow.top.id
    try await flow.call(.saveDraft(id, ["name": "Ada"]))
    await #expect(throws: CallError.self) {
      try await flow.call(.delegate(flow.tree.root, screen: id, event: "submit", payload: ["name": "Ada"], seen: nil))
    }
    try await flow.send("note:x")
    #expect(try await flow.top.draft == ["name": "Ada"])
    try await flow.send("submit", ["name": "Ada", "password": "pass"])
    #expect(try await flow.top.id == id)
    #expect(try await flow.top.draft == [:])
  }

  @Test("Rule 10: A draft survives a restart")
  func draftSurvivesRestart() async throws {
    let flow = try await form()
    try await flow.call(.saveDraft(flow.top.id, ["name": "Ad"]))
    #expect(try await flow.restarted().top.draft == ["name": "Ad"])
  }

  @Test("Rule 3: A draft that cannot be stored is not kept")
  func unstorableDraftIsNotKept() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    let store = KeepingStore(catalogue)
    let flow = try await TestFlow.start("probe", in: catalogue, store: store)
    try await flow.tell(.form)
    let id = try await flow.top.id
    await store.setFull(true)
    await #expect(throws: CallError.notStored("Full()")) { try await flow.call(.saveDraft(id, ["name": "Ad"])) }
    #expect(try await flow.top.draft == [:])
  }
}
