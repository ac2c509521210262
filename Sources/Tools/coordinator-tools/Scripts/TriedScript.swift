import ArgumentParser
import CoordinatorKit
import CoordinatorScripts
import Glibc
import Hardening
import Platform
import RendererKit
import ScriptPlays

/// The arguments of the commands that try a script without a daemon.
struct TriedScript: ParsableArguments {
  @Argument(help: "The script; the others in its directory can be its children.", completion: .file())
  var file: String

  @Option(help: "The flow, if the file has several.")
  var flow: String?

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp("A value of the flow's input; key:=JSON for anything but a text.", valueName: "key=value"))
  var inputs: [String] = []

  @Option(
    name: .customLong("stub"),
    help: ArgumentHelp(
      "A command of the shell in place of a step, a look, or a child flow; may be repeated.", valueName: "name=command"))
  var stubs: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many seconds a step, a look or a stub may take; 0 for as long as it takes.", valueName: "seconds"))
  var patience = 60

  func validate() throws {
    if patience < 0 { throw ValidationError("--patience needs a number of seconds from 0") }
  }

  /// The commands that replace steps, by name.
  private var stubbed: Stubs {
    get throws {
      var commands: [String: String] = [:]
      for stub in stubs {
        guard let (name, command) = stub.bytes.cut(at: "="), !name.isEmpty else {
          throw ValidationError("--stub takes NAME=COMMAND, not '\(stub)'")
        }
        commands[String(name)] = String(command)
      }
      return Stubs(commands)
    }
  }

  /// The input of the flow.
  var input: [String: JSONValue] {
    get throws {
      do {
        return try TypedArguments.object(from: try assignments, schema: nil, read: StandardStreams.read)
          .filter { $0.value != .null }
      } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  /// The assignments that make the input of the flow.
  var assignments: [Assignment] {
    get throws {
      do { return try inputs.map(Assignment.init) } catch { throw ValidationError("\(error)") }
    }
  }

  /// Runs a command on the script, and exits with its exit code.
  ///
  /// - Parameters:
  ///   - isLoud: whether the output of the script is passed on.
  ///   - patience: how long a run may wait for the next answer; zero to start another one for each answer.
  ///   - isReal: whether a person plays: then time and random values are real.
  ///   - refused: receives the reason if the script cannot be read.
  ///   - body: receives the scripts, and the selected flows.
  /// - Throws: `ExitCode`, or errors of `body` that are not failures of the script.
  func perform(
    isLoud: Bool = false, patience: Duration = .zero, isReal: Bool = false,
    refused: (_ reason: String) throws -> Void = { _ in },
    _ body: (_ scripts: LocalScripts, _ flows: [String]) async throws -> ToolExit
  ) async throws -> Never {
    ProcessHardening.forbidDumps()
    let stubs = try stubbed
    let exit: ToolExit
    do {
      let (own, all) = try ScriptFiles.file(ServeCommand.absolute(file))
      if let flow, !own.contains(flow) {
        throw ToolFailure(["\(file) has no flow \(flow); it has \(own.joined(separator: ", "))"])
      }
      let directory = try Self.directory()
      defer { FileContent.removeDirectory(directory) }
      let limit: Duration? = isReal || self.patience == 0 ? nil : .seconds(self.patience)
      let scripts = try LocalScripts(
        all, stubs, directory: directory,
        translations: Translations(
          domains: [Translations.domain], directories: Translations.usualDirectories(environment: Environment.value(of:))),
        patience: patience, workLimit: limit, isReal: isReal
      ) { line in
        if isLoud { StandardStreams.complain("\(line.printable)\n") }
      }
      defer { scripts.end() }
      exit = try await body(scripts, flow.map { [$0] } ?? own)
    } catch let failure as ToolFailure {
      Self.complain(failure.lines)
      throw ExitCode(failure.exit.rawValue)
    } catch let error as UnreadableScript {
      do { try refused("\(error)") } catch let failure as ToolFailure { Self.complain(failure.lines) }
      Self.complain(["\(file): \(error)"])
      throw ExitCode(ToolExit.error.rawValue)
    } catch let problem as PlayProblem {
      Self.complain(["\(problem)"])
      throw ExitCode(ToolExit.error.rawValue)
    }
    throw ExitCode(exit.rawValue)
  }

  private static func complain(_ lines: [String]) {
    StandardStreams.complain((["coordinator-scripts: \(lines.first ?? "")"] + lines.dropFirst()).map { $0 + "\n" }.joined())
  }

  /// A new directory for the socket, which only this user can enter.
  private static func directory() throws -> String {
    let parent = Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/scripts.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure(["no directory can be created: \(String(cString: strerror(errno)))"])
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
