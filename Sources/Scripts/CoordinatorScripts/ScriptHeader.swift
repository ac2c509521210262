import CPlatform
import Forms
import Glibc
import Platform
import ScriptEngine

/// The comments of a script that describe the flow: `# coordinator: title=A visit; title[de]=Ein Besuch; version=1; rehearsable`.
///
/// Further comments may follow in the next lines, such as with titles in more languages. In a value, `\\;`, `\\,`, `\\:` and `\\\\`
/// stand for these characters.
struct ScriptHeader: Sendable, Hashable {
  /// A mistake in a header.
  struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let description: String
  }

  /// A value, with the line in which it stands.
  struct Member: Sendable, Hashable {
    let value: String
    let line: Int
  }

  /// The number of lines in which a header may start.
  private static let lines = 20
  private static let keys = ["title", "summary", "version", "rehearsable", "user", "input", "result"]
  /// The keys that may name a language: `title[de]`.
  private static let translatable = ["title", "summary"]

  private(set) var members: [String: Member] = [:]
  /// The values in other languages, by key.
  private var translations: [String: [LanguageTag: String]] = [:]

  /// Reads the header of a script; nil if it has none.
  ///
  /// - Parameter source: the beginning of the file.
  /// - Throws: ``Mistake``.
  init?(_ source: String) throws(Mistake) {
    let lines = source.bytes.split(separator: "\n", maxSplits: Self.lines, omittingEmptySubsequences: false).prefix(Self.lines)
    let comments = lines.map(Self.comment)
    guard let first = comments.firstIndex(where: { $0 != nil }) else { return nil }
    for (index, comment) in comments.enumerated().dropFirst(first) {
      guard let comment else { break }
      try read(comment, line: index + 1)
    }
  }

  private static func comment(_ line: Substring) -> Substring? {
    let text = line.bytes.trimmed
    for mark in ["#", "//", "--"] {
      if let comment = text.bytes.dropping(prefix: mark)?.bytes.trimmed.bytes.dropping(prefix: "coordinator:") { return comment }
    }
    return nil
  }

  private mutating func read(_ comment: Substring, line: Int) throws(Mistake) {
    for part in HeaderText(comment).split(at: ";") {
      let (name, value) = part.cut(at: "=").map { ($0.before, $0.after.trimmed.raw) } ?? (part, "")
      let key = name.trimmed.raw
      guard !key.isEmpty else { continue }
      if let (before, after) = key.bytes.cut(at: "["), let language = after.bytes.dropping(suffix: "]") {
        try translate(String(before), to: String(language), HeaderText(value[...]).text, line)
        continue
      }
      guard Self.keys.contains(where: key.bytes.equals) else {
        throw Mistake(
          line: line,
          description: "there is no \(key): title, summary, version, rehearsable, input, result and user are known")
      }
      members[key] = Member(value: value, line: line)
    }
  }

  private mutating func translate(_ key: String, to language: String, _ text: String, _ line: Int) throws(Mistake) {
    guard Self.translatable.contains(where: key.bytes.equals) else {
      throw Mistake(line: line, description: "only title and summary have a language, not \(key)[\(language)]")
    }
    do {
      translations[key, default: [:]][try LanguageTag(language)] = text
    } catch {
      throw Mistake(line: line, description: "\(key)[\(language)]: \(error)")
    }
  }

  /// Copies the header's description into a script.
  ///
  /// - Throws: ``Mistake``.
  func describe(_ script: inout Script) throws(Mistake) {
    if let title = text("title"), !title.isEmpty { script.title = title }
    if let summary = text("summary") { script.summary = summary }
    (script.titles, script.summaries) = (translations["title"] ?? [:], translations["summary"] ?? [:])
    if let member = members["version"] {
      guard let version = UInt32(member.value), version > 0 else {
        throw Mistake(line: member.line, description: "the version is a number from 1 on, not \(member.value)")
      }
      script.version = version
    }
    script.isRehearsable = members["rehearsable"] != nil
    script.user = members["user"]?.value
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

  private func text(_ key: String) -> String? { members[key].map { HeaderText($0.value[...]).text } }

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
  private static func fields(_ member: Member, of key: String) throws(Mistake) -> [Field] {
    let text = member.value
    let hasTitles = HeaderText(text[...]).cut(at: ":") != nil
    let list = hasTitles ? text : text.bytes.replacing(",", with: " ")
    var fields: [Field] = []
    for part in HeaderText(list[...]).split(at: hasTitles ? "," : " ") {
      let field = part.trimmed
      guard !field.raw.isEmpty else { continue }
      let (word, title) = field.cut(at: ":").map { ($0.before.trimmed.raw, $0.after.trimmed.text) } ?? (field.raw, "")
      let optional = word.bytes.dropping(suffix: "?")
      let name = optional.map(String.init) ?? word
      guard ScriptName.isName(name) else {
        throw Mistake(
          line: member.line,
          description: "'\(name)' does not name a value of the \(key): names consist of letters, digits, '-' and '_'")
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
  /// The number of bytes of stderr in which the reason for a failure is looked for.
  private static let maxError = 512
  /// The number of the next call, by which its processes are found. The numbers of runs count up from one.
  private static let number = Lock(UInt64.max)

  /// Returns the flows of a script. Blocks the thread; if the thread ends, the script ends, too.
  ///
  /// - Throws: ``UnreadableScript``.
  static func flows(of path: String, digest: String) throws(UnreadableScript) -> [Script] {
    let (output, errors) = try output(of: path)
    guard let json = try? JSONValue(parsing: output),
      let flows = json.array ?? json["flows"]?.array ?? json.object.map({ [.object($0)] }), !flows.isEmpty
    else {
      throw UnreadableScript(
        "has no comment '# coordinator: title=…', and '--describe' does not print a description of its flows"
          + (lastLine(of: errors).map { ": \($0)" } ?? ""))
    }
    var scripts: [Script] = []
    for flow in flows {
      guard let name = flow["name"]?.string, ScriptName.isName(name) else {
        throw UnreadableScript("'--describe' prints a flow without a name")
      }
      var script = Script(name, path: path, digest: digest, kind: .host)
      script.title = flow["title"]?.string ?? name
      script.summary = flow["summary"]?.string ?? ""
      (script.titles, script.summaries) = (flow["titles"].translations, flow["summaries"].translations)
      script.version = flow["version"]?.integer.flatMap { UInt32(exactly: $0) } ?? 1
      script.isRehearsable = flow["rehearsable"]?.boolean ?? false
      script.user = flow["user"]?.string
      (script.input, script.result) = (flow["input"], flow["result"])
      scripts.append(script)
    }
    return scripts
  }

  /// Returns the last line that a script has written to stderr, such as Python's reason for its end; nil if there is none.
  private static func lastLine(of errors: [UInt8]) -> String? {
    let lines = String(decoding: errors, as: UTF8.self).bytes.split(separator: "\n").map(\.bytes.trimmed)
    // The reason passes over the bus, where a text has no zero byte.
    return lines.last { !$0.isEmpty }.map { String(String.UnicodeScalarView($0.unicodeScalars.filter { $0.value >= 0x20 })) }
  }

  /// Runs a script until it has described itself.
  ///
  /// - Returns: its output, and the end of what it has written to stderr.
  private static func output(of path: String) throws(UnreadableScript) -> (output: [UInt8], errors: [UInt8]) {
    let number = number.withLock { number in
      number -= 1
      return number
    }
    var variables = RunOrder.inherited
    // They identify processes that are left after this program was killed.
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_HOST"] = (try? RuntimeDirectory.path()).map(RunProcesses.socket(in:))
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else {
      throw UnreadableScript("cannot be started: \(ProcessStart.Failure(code: errno))")
    }
    defer { close(ends[0]) }
    let program: SpawnedProgram
    do throws(ProcessStart.Failure) {
      defer { close(ends[1]) }
      program = try SpawnedProgram(
        [path, "--describe"], environment: variables, passing: [2: ends[1]], hasErrors: false, endsWithThread: true)
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
    var errors: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var waiting = [program.output, ends[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let end = ContinuousClock.now + patience
    func readErrors() {
      let count = read(waiting[1].fd, &buffer, buffer.count)
      if count > 0 { errors = Array((errors + buffer[..<count]).suffix(maxError)) } else { waiting[1].fd = -1 }
    }
    while bytes.count < maxSize {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, poll(&waiting, 2, Int32(left / .milliseconds(1)) + 1) > 0 else {
        throw UnreadableScript("has not described itself in 5 s by '--describe'; it is asked again", isSlow: true)
      }
      // A script must not wait for its errors to be read.
      if waiting[1].revents != 0 { readErrors() }
      guard waiting[0].revents != 0 else { continue }
      let count = read(program.output, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    // What it wrote before it closed its output, unless it goes on writing.
    while waiting[1].fd >= 0, ContinuousClock.now < end, poll(&waiting[1], 1, 0) > 0 { readErrors() }
    return (bytes, errors)
  }
}

extension JSONValue? {
  /// The texts of an object by language. Leaves out what names no language.
  fileprivate var translations: [LanguageTag: String] {
    var result: [LanguageTag: String] = [:]
    for (name, text) in self?.object ?? [:] {
      if let tag = try? LanguageTag(name), let text = text.string { result[tag] = text }
    }
    return result
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
