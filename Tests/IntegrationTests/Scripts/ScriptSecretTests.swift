import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Secrets of scripts", .timeLimit(.minutes(5)))
struct ScriptSecretTests {
  @Test("A password that is typed twice goes to one step twice, and is refused while the two differ")
  func passwordIsTypedTwice() async throws {
    let world = try ScriptWorld()
    try world.write(
      "password",
      """
      ask form new Password --secret old --secret password --secret again --same-as password
      ask step change --stdin old --stdin password --stdin password -- sh -c 'cat >>"$1"' sh "$notes"
      ask message end End
      """)
    let played = try await world.play("password")
    let flow = played.flow
    try await flow.shows("new")
    let values: [String: JSONValue] = ["old": "canary", "password": "open-sesame"]
    await #expect {
      try await flow.send("submit", values.merging(["again": "open-sesamE"]) { $1 })
    } throws: { error in
      // The reason repeats neither value.
      let text = "\(error)"
      return text.contains("is not the same as Password") && !text.contains("sesam")
    }
    try await flow.send("submit", values.merging(["again": "open-sesame"]) { $1 })
    try await flow.shows("end")
    #expect(world.noted == ["canary", "open-sesame", "open-sesame"])
    withExtendedLifetime(played) {}
  }

  @Test("A step whose secret is gone, or was never asked for, says so on the standard error of the script")
  func missingSecretIsExplained() async throws {
    let world = try ScriptWorld()
    try world.write(
      "pins",
      """
      ask form pin PIN --secret pin
      ask step first --stdin pin -- sh -c 'cat >>"$1"; echo >>"$1"' sh "$notes"
      ask step second --stdin pin -- echo || echo "status $?" >>"$notes"
      ask step third --stdin key -- echo || echo "status $?" >>"$notes"
      ask message end End
      """)
    let played = try await world.play("pins")
    let flow = played.flow
    try await flow.shows("pin")
    try await flow.send("submit", ["pin": "canary"])
    try await flow.shows("end")
    #expect(world.noted == ["canary", "status 1", "status 1"])
    let log = try await Program.run(
      [Built.executable("coordinatorctl"), "script", "log"], environment: RunningDaemon.environment(of: world.bus))
    #expect(log.output.contains("ask: the step 'second' has failed: the secret 'pin' is gone"), "\(log.output)")
    #expect(log.output.contains("ask: the step 'third' has failed: no form has brought a secret 'key'"), "\(log.output)")
    withExtendedLifetime(played) {}
  }

  @Test("A stub gets the secrets of its step as the step's command would")
  func stubGetsSecrets() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "unlock",
      """
      ask form pins PINs --secret old --secret new
      ask step use --stdin new --stdin old -- false
      """)
    try bench.keep(
      "lines", #"{"start": "unlock"}"# + "\n" + #"{"event": "submit", "secrets": {"old": "1234", "new": "5678"}}"# + "\n")
    let report = try await bench.runCommand(
      ["sh", "-c", "coordinator-scripts play unlock --stub 'use=cat >>notes' --json <lines"])
    #expect(report.status == .exited(0), "\(report)")
    #expect(bench.noted == ["5678", "1234"])
  }
}
