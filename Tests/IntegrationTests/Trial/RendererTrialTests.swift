import TestBus
import Testing

@Suite("The renderer trial", .timeLimit(.minutes(5)))
struct RendererTrialTests {
  /// Starts a trial and a renderer in it.
  ///
  /// - Parameters:
  ///   - renderer: the program of the renderer, with its arguments.
  ///   - features: the features to leave out of the trial.
  ///   - isProvided: whether a separate process serves the flow.
  /// - Returns: both programs.
  /// - Throws: `Program.StartFailed`, `ProgramReport` if the trial ends at once.
  private func start(
    _ renderer: [String], without features: [String] = [], isProvided: Bool = false
  ) async throws -> (trial: Program, renderer: Program) {
    let options = features.flatMap { ["--without", $0] } + (isProvided ? ["--provided"] : [])
    let trial = try Program([Built.executable("renderer-trial"), "--pace", "1"] + options)
    try await trial.prints("coordinator-tui trial\n")
    let address = try #require(trial.output.split(separator: "'").first { $0.hasPrefix("unix:") })
    return (trial, try Program(renderer, environment: ["DBUS_SESSION_BUS_ADDRESS": String(address)]))
  }

  @Test("The example renderer in Python passes the renderer trial without the features that it does not draw")
  func pythonExamplePassesTheRendererTrial() async throws {
    let script = Built.checkedOut("Examples/python-renderer/renderer.py")
    let (trial, renderer) = try await start(
      ["/usr/bin/python3", script, "trial"], without: ["choosing", "confirm", "defaults", "review"])
    try await TrialScript.play(
      [
        ("Choice", "1"), ("a menu", "3"), ("a list", "2"), ("a long list", nil), ("Choice", "1234"), ("an empty list", "1"),
        ("Name (", "Zoë 水野"), ("E-mail (", "zoe@example.org"), ("Age (", "42"), ("Height (", "1.75"), ("City (", ""),
        ("News (", "y"),
        ("Colour (", "green"), ("Drinks (", "tea,water"), ("Note (", ""), ("Number (", "12"), ("Word (", "tea"), ("ERROR", nil),
        ("Number (", "1234"), ("Word (", ""), ("[from elsewhere]:", ""), ("Yours (", "mine"), ("NOW", nil), ("Not yours (", ""),
        ("Secret (", "swordfish"), ("WARNING: Mind the step", "2"), ("Answered in another renderer", nil), ("Choice", "1"),
        ("modal layer", nil), ("Choice", "b"), ("without a way back", nil), ("Choice", "1"), ("Choice [2]", ""),
        ("is killed", nil),
      ], on: renderer)
    try await trial.prints("is back.")
    renderer.write("1\n")
    try await TrialScript.play([("the end", nil), ("Choice", "1"), ("finished", nil)], on: renderer)
    let report = await trial.ended()
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.lines.last == "The renderer passed.")
    #expect(report.lines.count { $0.hasPrefix("ok ") } == 20)
    #expect(report.lines.count { $0.hasPrefix("skip ") } == 8)
  }

  @Test("'coordinator-tui' passes every step of the renderer trial line by line")
  func linearModePassesTheRendererTrial() async throws {
    let (trial, renderer) = try await start([Built.executable("coordinator-tui"), "trial"])
    try await TrialScript.play(
      [
        ("Choice", "begin"), ("a menu", nil), ("Choice", "third"), ("a list", nil), ("Choice", "two"), ("a long list", nil),
        ("Choice", "n1234"), ("an empty list", nil), ("Choice", "nothing"), ("Name [", "Zoë 水野"), ("E-mail", "zoe@example.org"),
        ("Age", "42"), ("Height", "1.75"), ("City [London]", ""), ("News", "y"), ("Colour", "green"), ("Drinks", "tea, water"),
        ("Note (optional)", ""), ("Number", "12"), ("not in the expected form", "1234"), ("Word", "tea"),
        ("Text [from elsewhere]", ""),
        ("Yours", "mine"), ("NOW", nil), ("Not yours [new]", ""), ("Secret", "swordfish"), ("Mind the step", nil),
        ("Choice", "step"),
        ("Answered in another renderer.", nil), ("Choice", "told"), ("a modal layer", nil), ("Choice", "b"), ("a way back", nil),
        ("Choice", "none"), ("Choice [2) Coffee]", ""), ("One choice is ready", nil), ("Choice [3) Copy]", ""),
        ("Choose 1 to 2, separated by commas [2]", "Tea, Water"), ("Choice [3) Water]", ""),
        ("an item that cannot", nil), ("Water – (It is frozen.)", nil), ("Choice", "Water"), ("Note: It is frozen.", nil),
        ("Choice", "frozen"), ("an action that cannot", nil), ("Pay (The basket is empty.)", nil), ("Choice", "Pay"),
        ("Note: The basket is empty.", nil), ("Choice", "empty"), ("an action that asks", nil), ("Choice", "erase"),
        ("Really erase? Answer no. (y/N)", "n"), ("Choice", "keep"), ("Drink", "tea"), ("Drink: tea", nil),
        ("Choice", "Change Drink"), ("Change it to: water", nil), ("Drink [tea]", "water"), ("Drink: water", nil),
        ("Choice", "done"), ("is back.", nil), ("Choice", "back"), ("the end", nil), ("Choice", "end"), ("finished", nil),
      ], on: renderer)
    let report = await trial.ended()
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.lines.last == "The renderer passed.")
    #expect(!report.lines.contains { $0.hasPrefix("skip ") }, "\(report)")
  }

  @Test("A renderer trial that is left before its end fails")
  func abandonedRendererTrialFails() async throws {
    let (trial, renderer) = try await start([Built.executable("coordinatorctl"), "dismiss", "trial"])
    _ = await renderer.ended()
    let report = await trial.ended()
    #expect(report.status == .exited(1))
    #expect(report.output.contains("WRONG  the flow was left before it ended"))
    #expect(report.output.contains("no renderer has attached"))
  }
}
