import Forms
import Glibc
import Platform
import ScriptEngine

/// Asks a script what flows it has: `NAME --describe` prints a JSON array.
enum ScriptDescriber {
  /// How long a script may take for it.
  private static let patience = Duration.seconds(5)
  private static let maxSize = 1 << 20
  /// The number of the next one, by which its processes are found. Those of runs count up from one.
  private static let number = Lock(UInt64.max)

  /// Returns the flows of a script. Blocks the thread, with whose end the script would end, too.
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
    let number = number.withLock { number in
      number -= 1
      return number
    }
    var variables = RunOrder.inherited
    // What is left of it when this program was killed is found by these.
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_HOST"] = (try? RuntimeDirectory.path()).map(RunProcesses.socket(in:))
    let program: SpawnedProgram
    do throws(ProcessStart.Failure) {
      program = try SpawnedProgram([path, "--describe"], environment: variables, hasErrors: false, endsWithThread: true)
    } catch {
      throw UnreadableScript("cannot be started: \(error)")
    }
    defer {
      close(program.output)
      kill(program.process, SIGKILL)
      ProcessStart.wait(for: program.process)
      ScriptProcess(ended: program.process).end(run: number)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = ContinuousClock.now + patience
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
