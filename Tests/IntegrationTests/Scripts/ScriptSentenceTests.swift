import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("What users read in place of a script", .timeLimit(.minutes(5)))
struct ScriptSentenceTests {
  private static let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  /// Returns a world with the translations in the checkout, which programs read at their start.
  private static func germanWorld() async throws -> ScriptWorld {
    let world = try ScriptWorld()
    let (tool, directory) = (checkout.appending(path: "Scripts/po").path, checkout.appending(path: "Translations").path)
    let compiled = try await Program.run([tool, "--directory", directory, "compile", "\(world.bus.directory)/locale"])
    #expect(compiled.status == .exited(0), "\(compiled)")
    return world
  }

  private static var german: Options { get throws { Options(language: try LanguageTag("de")) } }

  @Test(
    "A failure that a script does not handle is a sentence in the person's language, without names; why is in the log",
    arguments: [
      ("lambda: os.stat('/no/such/disk')", "step-failed", "Ein Schritt ist fehlgeschlagen.", "do: [Errno 2] No such file"),
      (
        "lambda: 'x' * 100_000", "no-result", "Ein Schritt wurde ausgeführt, aber sein Ergebnis lässt sich nicht verwenden.",
        "its result has 100002 bytes"
      ),
      (
        "lambda: object()", "no-result", "Ein Schritt wurde ausgeführt, aber sein Ergebnis lässt sich nicht verwenden.",
        "is not JSON"
      ),
    ])
  func unhandledFailure(_ work: String, _ code: String, _ sentence: String, _ reason: String) async throws {
    let world = try await Self.germanWorld()
    try world.writePython(
      "broken.py",
      """
      @flow("broken", title="Broken")
      async def broken(ui):
          await ui.menu("go", "Go?", yes="Yes")
          await ui.step("do", \(work))

      serve(broken)
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "broken", for: client)
    let flow = try await Flow.start("broken", client, options: try Self.german)
    try await flow.shows("go")
    // The client that has answered may receive the failure as well.
    _ = try? await flow.send("yes")
    try await poll { try await client.manager.outcome(of: flow.path) == .failed(code: code, message: sentence) }
    try await poll { engine.errors.contains("broken.py: \(code): ") && engine.errors.contains(reason) }
    try await poll { engine.errors.contains("Traceback (most recent call last):") }
    #expect(engine.errors.ranges(of: "broken.py: \(code): ").count == 1, "\(engine.errors)")
    withExtendedLifetime(daemon) {}
  }

  @Test("A failure with a message of the script is shown as the script words it")
  func wordedFailure() async throws {
    let world = try await Self.germanWorld()
    try world.write("worded", "ask menu go Go? yes=Yes; ask fail no-disk 'There is no disk.'")
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "worded", for: client)
    let flow = try await Flow.start("worded", client, options: try Self.german)
    try await flow.shows("go")
    _ = try? await flow.send("yes")
    try await poll {
      try await client.manager.outcome(of: flow.path) == .failed(code: "no-disk", message: "There is no disk.")
    }
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("What the engine adds to a question is in the person's language")
  func notice() async throws {
    let world = try await Self.germanWorld()
    try world.write("stuck", "ask menu go Go? yes=Yes; ask step do --undo false -- true; ask menu two Two? yes=Yes")
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "stuck", for: client)
    let flow = try await Flow.start("stuck", client, options: try Self.german)
    try await flow.shows("go")
    try await flow.send("yes")
    try await flow.shows("two")
    try await flow.back()
    try await poll { try await flow.shows("two")?.messages.isEmpty == false }
    let messages = try await flow.shows("two")?.messages ?? []
    #expect(messages.map(\.text) == ["Das konnte nicht rückgängig gemacht werden."])
    #expect(messages.map(\.code) == ["undo-failed"])
    withExtendedLifetime((daemon, engine)) {}
  }
}
