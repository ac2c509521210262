import Glibc
import Platform

extension Configuration {
  /// Reads a configuration from all its sources. Problems are collected in ``problems``.
  ///
  /// - Parameters:
  ///   - keys: the known keys; those of a section are adjacent.
  ///   - source: the sources to read.
  public init(_ keys: [KeyEntry], from source: ConfigurationSource) {
    self.init(keys: keys)
    for path in source.places.files { readFile(path, mustExist: source.places.mustExist) }
    for path in dropIns(source.places) { readFile(path, mustExist: false) }
    readVariables(source)
    for flag in source.flags { take(flag.text, for: flag.key, from: .flag(flag.key.flag ?? flag.key.name)) }
  }

  /// Reads a single file, without drop-ins, variables and options. Problems are collected in ``problems``.
  ///
  /// - Parameters:
  ///   - keys: the known keys; those of a section are adjacent.
  ///   - file: the path of the file, which must exist.
  package init(_ keys: [KeyEntry], file: String) {
    self.init(keys: keys)
    readFile(file, mustExist: true)
  }

  private mutating func readVariables(_ source: ConfigurationSource) {
    // Usually no variable has the prefix, and computing the names of all keys takes longer than reading a file.
    guard source.environment.keys.contains(where: { $0.bytes.hasPrefix(source.prefix) }) else { return }
    for key in keys where key.family == nil {
      let variable = key.variable(prefix: source.prefix)
      if let text = source.environment[variable] { take(text, for: key, from: .variable(variable)) }
    }
  }

  /// Returns the paths of the drop-ins of all directories, sorted by file name.
  private mutating func dropIns(_ places: ConfigurationPlaces) -> [String] {
    var paths: [TextBytes: (name: String, path: String)] = [:]
    for directory in places.dropIns {
      do {
        for name in try ConfigurationDisk.dropIns(in: directory) {
          paths[name.bytes] = (name, "\(directory)/\(name)")
        }
      } catch {
        problems.append(ConfigurationProblem("cannot be read: \(error.reason)", with: directory))
      }
    }
    return paths.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { $0.path }
  }

  private mutating func readFile(_ path: String, mustExist: Bool) {
    do {
      guard let bytes = try ConfigurationDisk.read(path) else {
        if mustExist { problems.append(ConfigurationProblem("no such file", with: path)) }
        return
      }
      files.append(path)
      take(ConfigurationText(bytes), of: path)
    } catch {
      problems.append(ConfigurationProblem("cannot be read: \(error.reason)", with: path))
    }
  }

  /// Adds the settings of a file.
  mutating func take(_ text: ConfigurationText, of path: String) {
    /// The current section; nil above the first one. The keys of an unknown section are skipped, because the section itself is
    /// already reported.
    var section: (name: String, exists: Bool, ofFamily: ConfigurationSection?)?
    for line in text.lines {
      let origin = ConfigurationOrigin.file(path, line: line.number)
      switch line.statement {
      case .wrong(let message): problems.append(ConfigurationProblem(message, at: origin))
      case .section(let name):
        let own = familySection(name, at: origin)
        let exists = own != nil || keys.contains { $0.section == name && $0.family == nil }
        section = (own.flatMap(display) ?? name, exists, own)
        if let own, !sections.contains(where: { $0.isSame(as: own) }) { sections.append(own) }
        if !exists { problems.append(ConfigurationProblem(complaint(ofSection: name), at: origin)) }
      case .assignment(let name, let value):
        if section?.exists == false { continue }
        guard let key = keys.first(where: { $0.name == name && $0.section == section?.name }) else {
          problems.append(ConfigurationProblem(complaint(ofKey: name, in: section?.name), at: origin))
          continue
        }
        take(value, for: key, in: section?.ofFamily, from: origin)
      }
    }
  }

  /// Stores a value. An empty one clears the values from sources of lower precedence.
  private mutating func take(
    _ text: String, for key: KeyEntry, in section: ConfigurationSection? = nil, from origin: ConfigurationOrigin
  ) {
    let place = Place(key, in: section)
    guard !text.isEmpty else { return given[place] = nil }
    guard key.isValid(text) else {
      return problems.append(ConfigurationProblem("\(key.name)=\(text): expected \(key.expected)", at: origin))
    }
    given[place] = Given(text: text, origin: origin)
  }

  // MARK: Families of sections

  /// Returns the section of a family that a heading names; nil if the heading names none.
  private func familySection(_ heading: String, at origin: ConfigurationOrigin) -> ConfigurationSection? {
    let words = heading.bytes.split(separator: " ").map(String.init)
    guard words.count > 1, keys.contains(where: { $0.family == words[0] }) else { return nil }
    return ConfigurationSection(family: words[0], name: words.dropFirst().joined(separator: " "), origin: origin)
  }

  /// Returns the section with a placeholder for its name, as in the description of its keys.
  private func display(_ section: ConfigurationSection) -> String? { keys.first { $0.family == section.family }?.section }

  // MARK: Unknown names

  private func complaint(ofSection name: String) -> String {
    if let family = keys.first(where: { $0.family == name }) {
      return "[\(name)] lacks a name; expected [\(family.section)]"
    }
    let sections = keys.map(\.section).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    let hint = Suggestion.best(for: name, among: sections).map { "did you mean [\($0)]?" }
    return "unknown section [\(name)]; " + (hint ?? "expected one of " + sections.map { "[\($0)]" }.joined(separator: ", "))
  }

  private func complaint(ofKey name: String, in section: String?) -> String {
    if let key = keys.first(where: { $0.name == name }) { return "\(name) belongs in the section [\(key.section)]" }
    let own = keys.filter { section == nil || $0.section == section }.map(\.name)
    let what = "unknown key \(name)" + (section.map { " in [\($0)]" } ?? "") + "; "
    if let hint = Suggestion.best(for: name, among: own) ?? Suggestion.best(for: name, among: keys.map(\.name)) {
      return what + "did you mean \(hint)?"
    }
    return what + "expected one of " + own.joined(separator: ", ")
  }
}

/// A section of a family: `[Flow join-network]` is the section `join-network` of the family `Flow`.
public struct ConfigurationSection: Sendable, Hashable {
  /// The word that all sections of the family begin with.
  public let family: String
  /// The name that follows the word.
  public let name: String
  /// The line that begins the section for the first time.
  public let origin: ConfigurationOrigin

  /// Returns whether another heading begins the same section again.
  func isSame(as other: ConfigurationSection) -> Bool { family == other.family && name == other.name }
}

/// The contents of a configuration file: sections and assignments in the syntax of systemd.syntax(7), without line
/// continuations.
struct ConfigurationText {
  /// The meaning of a line.
  enum Statement: Sendable, Hashable {
    case section(String)
    case assignment(key: String, value: String)
    /// A line that cannot be parsed; the value is the message.
    case wrong(String)
  }

  /// A line that is neither empty nor a comment.
  struct Line: Sendable, Hashable {
    let number: Int
    let statement: Statement
  }

  let lines: [Line]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap { index, bytes in
      Self.statement(bytes).map { Line(number: index + 1, statement: $0) }
    }
  }

  private static func statement(_ bytes: ArraySlice<UInt8>) -> Statement? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return .wrong("this line is not UTF-8") }
    let line = text.bytes.trimmed
    guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
    guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\t" }) else {
      return .wrong("this line contains control characters")
    }
    if let heading = line.bytes.dropping(prefix: "[") {
      return heading.bytes.dropping(suffix: "]").map { Statement.section(String($0)) } ?? .wrong("expected ']' at the end")
    }
    guard let (key, rest) = line.bytes.cut(at: "="), !key.isEmpty else { return .wrong("expected [Section] or Key=Value") }
    let value = rest.bytes.trimmed
    guard !value.bytes.hasSuffix(#"\"#) else { return .wrong("a value cannot span lines: '\\' does not continue it") }
    return .assignment(key: String(key.bytes.trimmed), value: String(value))
  }
}

/// Reads configuration files from the file system.
package enum ConfigurationDisk {
  /// The reason why a file or directory cannot be read.
  package struct Unreadable: Error {
    /// The message.
    package let reason: String
  }

  /// The maximum size of a file, in bytes: more than any configuration needs.
  private static let mostBytes = 1 << 20

  /// Reads a file. A character device counts as empty, so that a link to `/dev/null` hides a file of the same name
  /// elsewhere.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the contents; nil if no such file.
  /// - Throws: ``Unreadable``.
  package static func read(_ path: String) throws(Unreadable) -> [UInt8]? {
    // Non-blocking, because a path that leads to a pipe or a device must not keep the daemon from starting.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      guard isMissing(errno) else { throw Unreadable(reason: reason(errno)) }
      // In a sandbox, for example, the target of a link may be missing.
      guard !isThere(path) else { throw Unreadable(reason: "it is a dangling symbolic link") }
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Unreadable(reason: reason(errno)) }
    guard status.st_mode & S_IFMT != S_IFCHR else { return [] }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Unreadable(reason: "it is not a regular file") }
    guard status.st_size <= mostBytes else { throw Unreadable(reason: "it is larger than \(ByteCount.write(UInt32(mostBytes)))") }
    return try bytes(of: descriptor, about: Int(status.st_size))
  }

  private static func bytes(of descriptor: Int32, about size: Int) throws(Unreadable) -> [UInt8] {
    var all: [UInt8] = []
    while all.count <= mostBytes {
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, initialized in
        repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        initialized = max(count, 0)
      }
      guard count >= 0 else { throw Unreadable(reason: reason(errno)) }
      guard count > 0 else { break }
      all += piece
    }
    return all
  }

  /// Returns the names of the drop-ins in a directory; none if there is no such directory.
  package static func dropIns(in directory: String) throws(Unreadable) -> [String] {
    guard let stream = opendir(directory) else {
      if isMissing(errno) { return [] }
      throw Unreadable(reason: reason(errno))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
      if name.bytes.hasSuffix(".conf"), !name.bytes.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func isMissing(_ error: Int32) -> Bool { error == ENOENT || error == ENOTDIR }

  private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
}
