import Forms
import Glibc
import Platform
import ScriptEngine

/// Asks a script what flows it has: `NAME --describe` prints a JSON array.
enum ScriptDescriber {
  /// How long a script may take for it, in milliseconds.
  private static let patience: Int32 = 5_000
  private static let maxSize = 1 << 20

  /// Returns the flows of a script.
  ///
  /// - Throws: ``UnreadableScript``.
  static func flows(of path: String, digest: String) throws(UnreadableScript) -> [Script] {
    let output = try output(of: path)
    guard let json = try? JSONValue(parsing: output),
      let flows = json.array ?? json["flows"]?.array ?? json.object.map({ [.object($0)] }), !flows.isEmpty
    else {
      throw UnreadableScript(
        "has no comment '# coordinator: title=…', and '--describe' does not print a description of its flows")
    }
    var scripts: [Script] = []
    for flow in flows {
      guard let name = flow["name"]?.string, ScriptName.isName(name) else {
        throw UnreadableScript("'--describe' prints a flow without a name")
      }
      var script = Script(name, path: path, digest: digest, kind: .host)
      script.title = flow["title"]?.string ?? name
      script.summary = flow["summary"]?.string ?? ""
      script.version = flow["version"]?.integer.flatMap { UInt32(exactly: $0) } ?? 1
      script.isRehearsable = flow["rehearsable"]?.boolean ?? false
      script.user = flow["user"]?.string
      (script.input, script.result) = (flow["input"], flow["result"])
      scripts.append(script)
    }
    return scripts
  }

  private static func output(of path: String) throws(UnreadableScript) -> [UInt8] {
    let program: SpawnedProgram
    do throws(ProcessStart.Failure) {
      program = try SpawnedProgram([path, "--describe"], environment: RunOrder.inherited, hasErrors: false)
    } catch {
      throw UnreadableScript("cannot be started: \(error)")
    }
    defer {
      close(program.output)
      kill(-program.process, SIGKILL)
      var status: Int32 = 0
      waitpid(program.process, &status, 0)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = ContinuousClock.now + .milliseconds(Int(patience))
    while bytes.count < maxSize {
      let left = ContinuousClock.now.duration(to: end)
      var waiting = pollfd(fd: program.output, events: Int16(POLLIN), revents: 0)
      guard left > .zero, poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1) > 0 else {
        throw UnreadableScript("has not described itself in 5 s by '--describe'; it is asked again", isSlow: true)
      }
      let count = read(program.output, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
