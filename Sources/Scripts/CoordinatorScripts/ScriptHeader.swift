import Dispatch
import Forms
import Glibc
import Platform
import ScriptEngine

/// The first comment of a script, which describes the flow: `# coordinator: title=A visit; version=1; rehearsable`.
struct ScriptHeader: Sendable, Hashable {
  /// A mistake in a header.
  struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let description: String
  }

  /// The number of lines in which a header may start.
  private static let lines = 20

  var members: [String: String] = [:]

  /// Reads the header of a script; nil if it has none.
  ///
  /// - Parameter source: the beginning of the file.
  /// - Throws: ``Mistake``.
  init?(_ source: String) throws(Mistake) {
    let lines = source.bytes.split(separator: "\n", maxSplits: Self.lines, omittingEmptySubsequences: false).prefix(Self.lines)
    for (index, line) in lines.enumerated() {
      guard let comment = Self.comment(line) else { continue }
      try read(comment, line: index + 1)
      return
    }
    return nil
  }

  private static func comment(_ line: Substring) -> Substring? {
    let text = line.bytes.trimmed
    for mark in ["#", "//", "--"] {
      if let comment = text.bytes.dropping(prefix: mark)?.bytes.trimmed.bytes.dropping(prefix: "coordinator:") { return comment }
    }
    return nil
  }

  private mutating func read(_ comment: Substring, line: Int) throws(Mistake) {
    for part in comment.bytes.split(separator: ";") {
      let pair = part.bytes.split(separator: "=", maxSplits: 1).map { String($0.bytes.trimmed) }
      guard let key = pair.first, !key.isEmpty else { continue }
      guard ["title", "summary", "version", "rehearsable", "user", "input", "result"].contains(key) else {
        throw Mistake(
          line: line,
          description: "there is no \(key): title, summary, version, rehearsable, input, result and user are known")
      }
      members[key] = pair.count > 1 ? pair[1] : ""
    }
  }

  /// Copies the header's description into a script.
  ///
  /// - Throws: ``Mistake``.
  func describe(_ script: inout Script) throws(Mistake) {
    if let title = members["title"], !title.isEmpty { script.title = title }
    if let summary = members["summary"] { script.summary = summary }
    if let text = members["version"] {
      guard let version = UInt32(text), version > 0 else {
        throw Mistake(line: 1, description: "the version is a number from 1 on, not \(text)")
      }
      script.version = version
    }
    script.isRehearsable = members["rehearsable"] != nil
    script.user = members["user"]
    if let input = members["input"] {
      let fields = try Self.fields(input, of: "input")
      script.input = [
        "type": "object", "properties": Self.properties(fields),
        "required": .array(fields.filter { !$0.isOptional }.map { .string($0.name) }), "additionalProperties": false,
      ]
    }
    if let result = members["result"] {
      let fields = try Self.fields(result, of: "result")
      script.result = ["type": "object", "properties": Self.properties(fields)]
    }
  }

  private static func properties(_ fields: [Field]) -> JSONValue {
    .object(Dictionary(fields.map { ($0.name, ["type": "string", "title": .string($0.title)]) }) { $1 })
  }

  /// A value of the input or the result.
  private struct Field {
    let name: String
    let title: String
    let isOptional: Bool
  }

  /// Reads `name`, `name?`, `name:Title` or `name?:Title`, separated by commas, or by spaces if there are no titles.
  private static func fields(_ text: String, of key: String) throws(Mistake) -> [Field] {
    let hasTitles = text.bytes.cut(at: ":") != nil
    let list = hasTitles ? text : text.bytes.replacing(",", with: " ")
    var fields: [Field] = []
    for part in list.bytes.split(separator: hasTitles ? "," : " ") {
      let field = part.bytes.trimmed
      guard !field.isEmpty else { continue }
      let (word, title) =
        field.bytes.cut(at: ":").map { ($0.before.bytes.trimmed, String($0.after.bytes.trimmed)) } ?? (field, "")
      let optional = word.bytes.dropping(suffix: "?")
      let name = String(optional ?? word)
      guard ScriptName.isName(name) else {
        throw Mistake(
          line: 1, description: "'\(name)' does not name a value of the \(key): names consist of letters, digits, '-' and '_'")
      }
      fields.append(Field(name: name, title: title.isEmpty ? name : title, isOptional: optional != nil))
    }
    return fields
  }
}

/// Asks a script for its flows: `NAME --describe` prints a JSON array.
enum ScriptDescriber {
  /// How long a script may take to answer.
  private static let patience = Duration.seconds(5)
  private static let maxSize = 1 << 20
  /// The number of the next call, by which its processes are found. The numbers of runs count up from one.
  private static let number = Lock(UInt64.max)

  /// Returns the flows of a script. Blocks the thread; if the thread ends, the script ends, too.
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
    // They identify processes that are left after this program was killed.
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

/// The names of scripts.
enum ScriptName {
  /// Returns whether a text names a flow: letters, digits, `-` and `_`, of which a letter or digit is the first.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    return isLetterOrDigit(first) && text.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
  }

  /// Returns the name of the flow of a file: without `.sh` or `.py`; nil if it cannot be one.
  static func flow(ofFile file: String) -> String? {
    var name = file[...]
    for suffix in [".sh", ".py"] { name = name.bytes.dropping(suffix: suffix) ?? name }
    return isName(String(name)) ? String(name) : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }
}

/// The descriptions that scripts give of their flows. Several files are asked at once, each with a separate time limit, so that
/// one that does not answer does not delay others. May be used from any thread.
final class ScriptDescriptions: Sendable {
  /// A file with a certain content.
  struct Key: Sendable, Hashable {
    let path: String
    let digest: String
  }

  typealias Answer = Result<[Script], UnreadableScript>

  private struct State: Sendable {
    /// The files being asked; `slow` are those that were slow before.
    var asked: Set<Key> = []
    var slow: Set<Key> = []
    var queue: [Key] = []
    var answers: [Key: Answer] = [:]
    var running = 0
    /// The threads that wait, each with its files.
    var waiters: [(keys: Set<Key>, semaphore: DispatchSemaphore)] = []
    /// Whether a reader has continued without an answer.
    var owesNews = false
    var news: (@Sendable () -> Void)?
  }

  /// The maximum number of files that are asked at once.
  private static let width = 8

  private let state = Lock(State())

  /// Sets a closure that is called when an answer arrives without which a reader has continued.
  func listen(_ news: @escaping @Sendable () -> Void) { state.withLock { $0.news = news } }

  /// Asks a file, unless that is under way.
  func ask(_ key: Key) {
    let isNew = state.withLock { state in
      guard state.answers[key] == nil, state.asked.insert(key).inserted else { return false }
      // Answers of earlier versions of the file.
      state.answers = state.answers.filter { $0.key.path != key.path }
      state.queue.append(key)
      return true
    }
    if isNew { work() }
  }

  /// Waits until the files have answered. Blocks the thread.
  ///
  /// - Parameters:
  ///   - keys: the files.
  ///   - time: how long to wait. Files that were slow before are not waited for.
  func wait(for keys: Set<Key>, atMost time: Duration) {
    let semaphore = DispatchSemaphore(value: 0)
    let isReady = state.withLock { state in
      let open = keys.intersection(state.asked).subtracting(state.slow)
      if !open.isEmpty { state.waiters.append((open, semaphore)) }
      return open.isEmpty
    }
    if isReady { return }
    _ = semaphore.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    state.withLock { $0.waiters.removeAll { $0.semaphore === semaphore } }
  }

  /// Returns an answer; nil if there is none yet: then the closure of ``listen(_:)`` is called later.
  func answer(_ key: Key) -> Answer? {
    state.withLock { state in
      guard let answer = state.answers[key] else {
        state.owesNews = true
        return nil
      }
      // It may be quicker next time.
      if case .failure(let error) = answer, error.isSlow { state.answers[key] = nil }
      return answer
    }
  }

  /// Asks queued files, up to the maximum number at once.
  private func work() {
    while true {
      let key: Key? = state.withLock { state in
        guard state.running < Self.width, !state.queue.isEmpty else { return nil }
        state.running += 1
        return state.queue.removeFirst()
      }
      guard let key else { return }
      let isStarted = Thread.start(name: "describe") { [self] in
        do throws(UnreadableScript) {
          hasAnswered(key, .success(try ScriptDescriber.flows(of: key.path, digest: key.digest)))
        } catch {
          hasAnswered(key, .failure(error))
        }
      }
      guard !isStarted else { continue }
      hasAnswered(key, .failure(UnreadableScript("cannot be asked: the system has no thread left", isSlow: true)))
    }
  }

  private func hasAnswered(_ key: Key, _ answer: Answer) {
    let (ready, news) = state.withLock { state in
      state.running -= 1
      state.asked.remove(key)
      state.answers[key] = answer
      // The file is asked again later, but no reader waits for it again.
      if case .failure(let error) = answer, error.isSlow { state.slow.insert(key) } else { state.slow.remove(key) }
      for index in state.waiters.indices { state.waiters[index].keys.remove(key) }
      let ready = state.waiters.filter(\.keys.isEmpty).map(\.semaphore)
      state.waiters.removeAll(where: \.keys.isEmpty)
      defer { state.owesNews = false }
      return (ready, state.owesNews ? state.news : nil)
    }
    for semaphore in ready { semaphore.signal() }
    work()
    news?()
  }
}
