import ArgumentParser
import CoordinatorKit
import CoordinatorScripts
import Glibc
import Platform
import RendererKit
import ScriptPlays

/// The options of the commands that explore a script.
struct ExploringOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many paths to walk to their end.", valueName: "number"))
  var maxPaths = 2_000

  @Option(help: ArgumentHelp("How many seconds to walk.", valueName: "seconds"))
  var maxSeconds = 30.0

  @Option(
    name: .customLong("values"),
    help: ArgumentHelp(
      "The values of a form, as an object of JSON or a list of several, in place of guessed ones; may be repeated.",
      valueName: "name=JSON"))
  var values: [String] = []

  @Flag(help: "Really do the steps for which there is no stub.")
  var realSteps = false

  func validate() throws {
    if maxPaths < 1 { throw ValidationError("--max-paths needs a number from 1") }
    // More seconds than a duration can have would trap.
    guard maxSeconds > 0, maxSeconds <= 1e9 else {
      throw ValidationError("--max-seconds needs a number greater than 0, and at most 1000000000")
    }
    _ = try given
  }

  /// The values of forms, by name.
  private var given: [String: [[String: JSONValue]]] {
    get throws {
      var given: [String: [[String: JSONValue]]] = [:]
      for pair in values {
        guard let (name, text) = pair.bytes.cut(at: "="), !name.isEmpty else {
          throw ValidationError("--values takes NAME=JSON, not '\(pair)'")
        }
        let json = JSONValue(json: String(text))
        guard let payloads = json?.array ?? json.map({ [$0] }), !payloads.isEmpty,
          payloads.allSatisfy({ $0.object != nil })
        else {
          throw ValidationError("the --values of \(name) are an object of JSON, such as '{\"login\":\"ada\"}', or a list of them")
        }
        given[String(name), default: []] += payloads.compactMap(\.object)
      }
      return given
    }
  }

  /// What to walk.
  var options: ScriptWalk.Options {
    get throws {
      var options = ScriptWalk.Options()
      (options.bounds, options.isReal) = (bounds, realSteps)
      options.values = try given
      return options
    }
  }

  private var bounds: WalkBounds { WalkBounds(maxPaths: maxPaths, maxSeconds: maxSeconds) }

  /// Walks a flow, and shows the progress on a terminal.
  func walk(
    _ flow: String, of scripts: LocalScripts, _ options: ScriptWalk.Options, input: [String: JSONValue],
    until interrupts: Interrupts = Interrupts()
  ) async throws -> ExploredFlow {
    let isWatched = isatty(STDERR_FILENO) == 1
    let walk = ScriptWalk(flow, of: scripts, options) { paths, moves in
      if isWatched { StandardStreams.complain("\r\(flow): \(paths) paths, \(moves) moves\u{1B}[K") }
    }
    defer { if isWatched { StandardStreams.complain("\r\u{1B}[K") } }
    interrupts.set { Task { await walk.interrupt() } }
    defer { interrupts.set(nil) }
    return try await walk.run(input: input)
  }

  /// Reports notes, and the paths that were not walked.
  func tell(_ found: ExploredFlow) {
    for note in found.notes + found.notice(of: bounds) {
      StandardStreams.complain("coordinator-scripts: \(found.name): \(note)\n".printableLines)
    }
  }
}

/// Ctrl-C, after which what was found so far can be printed. The second one ends the program.
final class Interrupts: Sendable {
  private struct State: Sendable {
    var hasCome = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// Handles SIGINT from now on. Call it at most once per process.
  func take() {
    guard let signals = ProcessSignals.take([SIGINT]) else { return }
    Task { [self] in for await _ in signals { come() } }
  }

  private func come() {
    let action = state.withLock { state in
      if state.hasCome { _exit(ToolExit.interrupted.rawValue) }
      state.hasCome = true
      return state.action
    }
    action?()
  }

  /// Whether it has come.
  var hasCome: Bool { state.withLock(\.hasCome) }

  /// Sets what it does; nil for nothing.
  func set(_ action: (@Sendable () -> Void)?) { state.withLock { $0.action = action } }
}
