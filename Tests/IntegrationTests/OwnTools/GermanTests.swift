import Foundation
import TestBus
import Testing

@Suite("The tools in another language", .timeLimit(.minutes(5)))
struct GermanTests {
  private static let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  @Test("Flows that a tool starts are shown in the language of its environment, from the translations in the checkout")
  func flowsAreShownInTheLanguageOfTheEnvironment() async throws {
    let translations = FileManager.default.temporaryDirectory.appending(path: "german-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: translations) }
    let scripts = Self.checkout.appending(path: "Scripts/po").path
    let directory = Self.checkout.appending(path: "Translations").path
    let compiled = try await Program.run([scripts, "--directory", directory, "compile", translations])
    #expect(compiled.status == .exited(0), "\(compiled)")

    let daemon = try await RunningDaemon.start(["--translations", translations])
    func control(_ arguments: String..., locale: String) async throws -> ProgramReport {
      try await Program.run(
        [Built.executable("coordinatorctl")] + arguments,
        environment: daemon.environment.merging(["LC_ALL": locale, "LANGUAGE": ""]) { $1 })
    }
    #expect(try await control("start", "schedule-visit", "--token", "german", locale: "de_DE.UTF-8").status == .exited(0))
    #expect(try await control("start", "schedule-visit", "--token", "english", locale: "C.UTF-8").status == .exited(0))
    let german = try await control("show", "german", locale: "C.UTF-8").output
    #expect(german.contains("Wozu dient der Besuch?"), "\(german)")
    #expect(german.contains("Mein Tier ist krank"), "\(german)")
    #expect(try await control("show", "english", locale: "de_DE.UTF-8").output.contains("What is the visit for?"))
  }
}
