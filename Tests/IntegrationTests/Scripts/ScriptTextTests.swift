import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Text that scripts get", .timeLimit(.minutes(5)))
struct ScriptTextTests {
  private static let attack = "x'\u{FE0F}; echo ran; echo '\u{FE0F}"

  /// Returns the reason of a refusal; empty if there is none.
  private func reason(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("A user's text in a form is never executed, and a step is undone by the words that it was given")
  func attackStaysText() async throws {
    let world = try ScriptWorld()
    try world.write(
      "copies",
      """
      eval "$(ask form account "Your account" --text login --flag news --assignments)"
      echo "login $login" >>"$notes"
      ask step copy --undo=6 sh -c 'echo "undone $2" >>"$1"' sh "$notes" "$login" -- true
      ask message end End
      """)
    let played = try await world.play("copies")
    let flow = played.flow
    try await flow.shows("account")
    _ = try await flow.send("submit", ["login": JSONValue.string(Self.attack), "news": true])
    try await flow.shows("end")
    try await flow.back()
    try await flow.shows("account")
    #expect(world.noted.filter { $0 == "ran" }.isEmpty)
    #expect(world.noted.first == "login \(Self.attack)" && world.noted.last == "undone \(Self.attack)", "\(world.noted)")
    withExtendedLifetime(played) {}
  }

  @Test("An answer that is too long for a command line of the script is refused, so that no question is passed over")
  func longAnswersAreRefused() async throws {
    let world = try ScriptWorld()
    try world.write(
      "erase",
      """
      name=$(ask form who Who --text name)
      if ask confirm keep "Keep the files of $name?"; then exit; fi
      echo erased >>"$notes"
      ask finish
      """)
    let played = try await world.play("erase")
    let flow = played.flow
    try await flow.shows("who")
    let refusal = await reason { _ = try await flow.send("submit", ["name": .string(String(repeating: "A", count: 131_060))]) }
    #expect(refusal.contains("64 KiB"), "\(refusal.suffix(200))")
    try await flow.shows("who")
    _ = try await flow.send("submit", ["name": .string(String(repeating: "A", count: 60_000))])
    try await flow.shows("keep")
    #expect(world.noted.isEmpty)
    withExtendedLifetime(played) {}
  }

  @Test("A script that would execute a user's text does not start, and names the line, until it is corrected")
  func evaluationIsRefused() async throws {
    let world = try ScriptWorld()
    try world.write("signup", #"eval "$(ask form f F --text n --secret p)"; echo "$n" >>"$notes""#)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "signup", for: client)
    let refusal = await reason { _ = try await Flow.start("signup", client) }
    #expect(refusal.contains("signup:4") && refusal.contains("--assignments"), "\(refusal)")
    try world.write("signup", #"eval "$(ask form f F --text n --secret p --assignments)"; echo "$n" >>"$notes""#)
    var flow: Flow?
    try await poll {
      flow = try? await Flow.start("signup", client)
      return flow != nil
    }
    try await flow?.shows("f")
    withExtendedLifetime(engine) {}
  }

  @Test("A child's result sets no variable that the script has not named, and the flow continues once its script names them")
  func resultsAreMended() async throws {
    let world = try ScriptWorld("--evict", "always")
    try world.write("child", #"ask message go Go; ask finish PATH=/evil street="it's""#)
    try world.write("parent", #"eval "$(ask run child --assignments)"; echo "$PATH" >>"$notes""#)
    let played = try await world.play("parent")
    let flow = played.flow
    try await flow.shows("go")
    let refusal = await reason { _ = try await flow.send("okay") }
    #expect(refusal.contains("\"PATH\"") && refusal.contains("--assignments=KEY"), "\(refusal)")
    try await flow.shows("go")
    try world.write("parent", #"eval "$(ask run child --assignments=street)"; echo "$street" >>"$notes"; ask finish"#)
    try await poll {
      _ = try? await flow.send("okay")
      return world.noted == ["it's"]
    }
    withExtendedLifetime(played) {}
  }

  @Test("A message with two names that only look the same is refused with a reason, and holds up nothing")
  func equivalentNamesAreRefused() async throws {
    let world = try ScriptWorld()
    try world.write("twins", "ask message go Go\nask finish \"v:={\\\"\u{E9}\\\":1,\\\"e\u{301}\\\":2}\"")
    let played = try await world.play("twins")
    let flow = played.flow
    try await flow.shows("go")
    let refusal = await reason { _ = try await flow.send("okay") }
    #expect(refusal.contains("cannot be read"), "\(refusal)")
    try await flow.shows("go")
    withExtendedLifetime(played) {}
  }
}
