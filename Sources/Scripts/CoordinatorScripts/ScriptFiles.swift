import CoordinatorBus
import CoordinatorKit
import DBus
import Forms
import Glibc
import Platform
import ScriptEngine

/// Finds the scripts in directories.
package struct ScriptFiles: Sendable {
  /// The maximum number of bytes of a script.
  private static let maxSize = 4 << 20

  package let places: ScriptPlaces
  /// Determines whose scripts are found.
  private let owner: ScriptOwner
  private let faults = ScriptFaults()
  private let descriptions = ScriptDescriptions()
  /// Receives the faults of files, one line at a time.
  let complain: @Sendable (String) -> Void

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - places: the directories.
  ///   - owner: determines whose scripts are found: another process serves those of other owners.
  ///   - complain: receives the faults of files, one line at a time.
  package init(_ places: ScriptPlaces, of owner: ScriptOwner = .own, complain: @escaping @Sendable (String) -> Void) {
    (self.places, self.owner, self.complain) = (places, owner, complain)
  }

  /// Whether a script was omitted since the last call because it was too slow.
  func hasLeftOutSlow() -> Bool { faults.takeSlow() }

  /// Sets a closure that is called when a file describes itself after its reader has stopped waiting.
  func listen(_ news: @escaping @Sendable () -> Void) { descriptions.listen(news) }

  /// Reads all scripts.
  ///
  /// - Parameters:
  ///   - known: the scripts that were read before; a file with the same digest is not asked for its description again. Until a
  ///     file has described itself, its earlier scripts stay valid.
  ///   - time: how long to wait for files that describe themselves.
  /// - Returns: the scripts by the names of their flows. If several have the same name, the one in the first directory counts.
  package func read(knowing known: [String: Script], waiting time: Duration = .seconds(6)) -> [String: Script] {
    var found: [Found] = []
    for directory in places.directories {
      for file in Self.files(in: directory).sorted() {
        guard let name = ScriptName.flow(ofFile: file) else { continue }
        if let file = find("\(directory)/\(file)", name, known) { found.append(file) }
      }
    }
    let asked = Set(found.compactMap(\.question))
    for key in asked { descriptions.ask(key) }
    descriptions.wait(for: asked, atMost: time)
    var scripts: [String: Script] = [:]
    for file in found {
      for script in owned(file, known) where scripts[script.name] == nil { scripts[script.name] = script }
    }
    return scripts
  }

  /// A file that may be a script.
  private struct Found {
    let path: String
    let status: stat
    /// Its scripts; nil if the file has to describe itself.
    let content: Result<[Script], UnreadableScript>?
    /// The key of its description; nil if it does not have to describe itself.
    let question: ScriptDescriptions.Key?
  }

  private static func files(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.bytes.hasPrefix("."), !name.bytes.hasSuffix("~") { files.append(name) }
    }
    return files
  }

  /// Examines one file; nil if it is not executable.
  private func find(_ path: String, _ name: String, _ known: [String: Script]) -> Found? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard access(path, X_OK) == 0 else {
      complainOnceIfScript(path)
      return nil
    }
    guard isTrusted(status, path) else { return nil }
    do throws(UnreadableScript) {
      switch try content(path, name, knowing: known) {
      case .known(let scripts): return Found(path: path, status: status, content: .success(scripts), question: nil)
      case .describesItself(let key): return Found(path: path, status: status, content: nil, question: key)
      }
    } catch {
      return Found(path: path, status: status, content: .failure(error), question: nil)
    }
  }

  /// Complains about a script that is not executable, which its author may have forgotten. Other files may lie beside scripts.
  private func complainOnceIfScript(_ path: String) {
    guard let content = Self.content(path), content.starts(with: "#!".utf8) else { return }
    let fault = UnreadableScript("is not executable, and is ignored; chmod +x would make it a flow")
    if faults.known(path, digest: "") == nil { faults.remember(fault, of: path, digest: "") }
    if faults.isNew(fault, of: path) { complain("\(path): \(fault)") }
  }

  /// Returns the scripts of a file that belong to the owner.
  private func owned(_ file: Found, _ known: [String: Script]) -> [Script] {
    let path = file.path
    guard let answer = file.content ?? file.question.flatMap(described) else {
      return known.values.filter { $0.path == path }.sorted { $0.name < $1.name }
    }
    do throws(UnreadableScript) {
      return try answer.get().compactMap { script in
        guard owner.owns(script) else {
          if let user = script.user, !places.isOfSystem { complain("\(path): is to run as \(user), and is ignored") }
          return nil
        }
        var script = script
        script.stamp = FileStamp(file.status)
        return script
      }
    } catch {
      if faults.isNew(error, of: path) { complain("\(path): \(error)") }
      return []
    }
  }

  /// Returns the description that a file has given; nil if it has not yet.
  private func described(_ key: ScriptDescriptions.Key) -> Result<[Script], UnreadableScript>? {
    guard let answer = descriptions.answer(key) else { return nil }
    do throws(UnreadableScript) {
      return .success(try sendable(answer.get()))
    } catch {
      faults.remember(error, of: key.path, digest: key.digest)
      return .failure(error)
    }
  }

  /// Reads the flows of a script of any owner.
  ///
  /// - Throws: ``UnreadableScript``.
  package func read(_ path: String, _ name: String, knowing known: [String: Script] = [:]) throws(UnreadableScript) -> [Script] {
    switch try content(path, name, knowing: known) {
    case .known(let scripts): return scripts
    case .describesItself(let key): return try sendable(ScriptDescriber.flows(of: key.path, digest: key.digest))
    }
  }

  private enum Content {
    case known([Script])
    case describesItself(ScriptDescriptions.Key)
  }

  private func content(_ path: String, _ name: String, knowing known: [String: Script]) throws(UnreadableScript) -> Content {
    guard let source = Self.content(path) else { throw UnreadableScript("cannot be read: \(String(cString: strerror(errno)))") }
    let text = String(decoding: source.prefix(8_192), as: UTF8.self)
    let digest = ScriptDigest.text(of: [String(decoding: source, as: UTF8.self)])
    let same = known.values.filter { $0.path == path && $0.digest == digest }
    if !same.isEmpty { return .known(same) }
    if let fault = faults.known(path, digest: digest) { throw fault }
    do throws(ScriptHeader.Mistake) {
      guard let header = try ScriptHeader(text) else {
        return .describesItself(ScriptDescriptions.Key(path: path, digest: digest))
      }
      var script = Script(name, path: path, digest: digest, kind: .processes)
      try header.describe(&script)
      script.evaluated = EvaluatedAnswer.find(in: source)
      return .known([script])
    } catch {
      throw UnreadableScript("line \(error.line): \(error)")
    }
  }

  /// Returns the scripts if their schemas can be sent.
  private func sendable(_ scripts: [Script]) throws(UnreadableScript) -> [Script] {
    for script in scripts {
      for (what, schema) in [("input", script.input), ("result", script.result)] {
        do { _ = try schema.map { try Value(json: $0) } } catch {
          throw UnreadableScript("the \(what) of \(script.name) cannot be sent over D-Bus: \(error)")
        }
      }
    }
    return scripts
  }

  /// Whether only the user and root can have written a script.
  private func isTrusted(_ status: stat, _ path: String) -> Bool {
    guard status.st_uid == 0 || !places.isOfSystem && status.st_uid == geteuid() else {
      complain("\(path): belongs to another user, and is ignored")
      return false
    }
    guard status.st_mode & 0o022 == 0 else {
      complain("\(path): can be written by others, and is ignored; chmod go-w would help")
      return false
    }
    return true
  }

  private static func content(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < maxSize {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}

/// The reason why a script is not a flow.
package struct UnreadableScript: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether the script was only too slow.
  let isSlow: Bool

  init(_ description: String, isSlow: Bool = false) { (self.description, self.isSlow) = (description, isSlow) }
}

/// Computes digests of the content of scripts.
enum ScriptDigest {
  /// Returns the digest of texts as a short text.
  static func text(of texts: [String]) -> String {
    (try? JSONValue(encoding: Digest(of: texts, as: .sha256)))?["sha256"]?.string ?? texts.joined()
  }
}

extension ScriptFiles {
  /// Reads a script that is to be tried, of any owner, and the others in its directory, which it may start as children.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the flows of the file, and all scripts by the names of their flows.
  /// - Throws: ``UnreadableScript``.
  package static func file(_ path: String) throws(UnreadableScript) -> (flows: [String], scripts: [String: Script]) {
    let parts = path.bytes.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    guard let file = parts.last, let name = ScriptName.flow(ofFile: String(file)) else {
      throw UnreadableScript("the name of the file is not that of a flow: it takes letters, digits, '-' and '_'")
    }
    let files = ScriptFiles(ScriptPlaces([directory]), complain: { _ in })
    guard FileStamp.isExecutable(path) else {
      throw UnreadableScript("there is no executable file at this path; chmod +x would make one of a file")
    }
    let own = try files.read(path, name)
    let all = files.read(knowing: [:]).merging(own.map { ($0.name, $0) }) { $1 }
    return (own.map(\.name), all)
  }
}

/// Determines whose scripts a process serves. All of them run as the user of the process.
package struct ScriptOwner: Sendable, Hashable {
  /// The name of the user.
  package let user: String
  /// Whether scripts that do not name a user are served.
  package let takesNameless: Bool

  /// Creates an owner.
  package init(user: String, takesNameless: Bool = true) { (self.user, self.takesNameless) = (user, takesNameless) }

  /// The user of this process, including all scripts that do not name a user.
  package static var own: ScriptOwner { ScriptOwner(user: ownName) }

  /// The name of the user of this process; its number if it has none.
  package static var ownName: String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(geteuid())" }
    return String(cString: entry.pw_name)
  }

  func owns(_ script: Script) -> Bool { script.user.map { $0.bytes.equals(user) } ?? takesNameless }
}

/// The directories with scripts.
package struct ScriptPlaces: Sendable, Hashable {
  /// The paths of the directories, in descending precedence.
  package var directories: [String]
  /// Whether only root may own scripts.
  package var isOfSystem: Bool

  /// Creates a list of directories, in descending precedence.
  package init(_ directories: [String], isOfSystem: Bool = false) {
    (self.directories, self.isOfSystem) = (directories, isOfSystem)
  }

  /// The directories of the system's daemon.
  package static let system = ScriptPlaces(
    ["/etc/coordinatord/flows", "/usr/share/coordinatord/flows"], isOfSystem: true)

  /// The directories of a user's daemon: `coordinatord/flows` in the directories of `$XDG_CONFIG_HOME`, `$XDG_CONFIG_DIRS`,
  /// `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`.
  package static func user(environment: [String: String]) -> ScriptPlaces {
    func all(_ variable: String, _ usual: [String]) -> [String] {
      let given = (environment[variable] ?? "").bytes.split(separator: ":").map(String.init).filter { $0.bytes.hasPrefix("/") }
      return given.isEmpty ? usual : given
    }
    let home = environment["HOME"].flatMap { $0.bytes.hasPrefix("/") ? $0 : nil } ?? "/"
    let all =
      all("XDG_CONFIG_HOME", ["\(home)/.config"]) + all("XDG_CONFIG_DIRS", ["/etc/xdg"])
      + all("XDG_DATA_HOME", ["\(home)/.local/share"]) + all("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
    var known: Set<String> = []
    return ScriptPlaces(
      all.map { ($0.bytes.hasSuffix("/") ? $0 : $0 + "/") + "coordinatord/flows" }.filter { known.insert($0).inserted })
  }
}
