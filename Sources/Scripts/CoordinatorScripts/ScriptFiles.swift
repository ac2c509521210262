import CoordinatorBus
import CoordinatorKit
import DBus
import Forms
import Glibc
import Platform
import ScriptEngine

/// Finds the scripts in directories.
package struct ScriptFiles: Sendable {
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

  /// Who may have written the scripts.
  package var trust: ScriptTrust { places.isOfSystem ? (owner.isRoot ? .root : .system) : .own }

  /// Reads all scripts.
  ///
  /// - Parameters:
  ///   - known: the scripts that were read before; a file with the same digest is not asked for its description again. Until a
  ///     file has described itself, its earlier scripts stay valid.
  ///   - time: how long to wait for files that describe themselves.
  /// - Returns: the scripts by the names of their flows. If several have the same name, the one in the first directory counts.
  package func read(knowing known: [String: Script], waiting time: Duration = .seconds(6)) -> [String: Script] {
    var scripts: [String: Script] = [:]
    for file in survey(knowing: known, waiting: time) {
      for script in file.scripts { scripts[script.name] = script }
      if let fault = file.fault, faults.isNew(fault, of: file.path) { complain("\(file.path): \(fault)") }
    }
    return scripts
  }

  /// Examines all files of the directories, and serves as the only answer to the question what becomes of a file.
  ///
  /// - Parameters:
  ///   - known: as in ``read(knowing:waiting:)``.
  ///   - time: how long to wait for files that describe themselves.
  ///   - flow: the flow after which the files are named; nil for all files.
  /// - Returns: the files, in the order of their precedence.
  package func survey(
    knowing known: [String: Script] = [:], waiting time: Duration = .seconds(6), of flow: String? = nil
  ) -> [SurveyedFile] {
    var found: [Found] = []
    for directory in places.directories {
      for file in Self.files(in: directory).sorted() {
        let name = ScriptName.flow(ofFile: file)
        guard flow == nil || flow == name else { continue }
        if let file = find("\(directory)/\(file)", name, known) { found.append(file) }
      }
    }
    let asked = Set(found.compactMap(\.question))
    for key in asked { descriptions.ask(key) }
    descriptions.wait(for: asked, atMost: time)
    var taken: [String: String] = [:]
    return found.map { file in
      var surveyed = surveyed(file, known)
      for script in surveyed.scripts {
        guard let first = taken[script.name] else {
          taken[script.name] = file.path
          continue
        }
        surveyed.scripts.removeAll { $0.name == script.name }
        surveyed.remark = "the flow \(script.name) is that of \(first)"
      }
      return surveyed
    }
  }

  /// A file that may be a script.
  private struct Found {
    let path: String
    /// The flow that the file is named after; nil if its name cannot be one.
    let name: String?
    var status = stat()
    /// Its scripts; nil if the file has to describe itself.
    var content: Result<[Script], UnreadableScript>?
    /// The key of its description; nil if it does not have to describe itself.
    var question: ScriptDescriptions.Key?
    /// Why the file is not served, which is no fault.
    var remark: String?
    /// Whether another process serves the scripts of the system for the user that the file names.
    var isElsewhere = false
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

  /// Examines one file; nil if it is none, such as a directory.
  private func find(_ path: String, _ name: String?, _ known: [String: Script]) -> Found? {
    var found = Found(path: path, name: name)
    guard stat(path, &found.status) == 0, found.status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let name else {
      found.remark = "its name is not that of a flow, which takes letters, digits, '-' and '_'"
      return found
    }
    guard FileStamp.isExecutable(path) else {
      let advice = "chmod +x would make it a flow"
      // Its author may have forgotten it. Other files may lie beside scripts.
      if let content = try? TrustedFile(path, nil).content(), content.starts(with: "#!".utf8) {
        found.content = .failure(UnreadableScript("is not executable, and is ignored; \(advice)"))
      } else {
        found.remark = "is not executable; \(advice)"
      }
      return found
    }
    do throws(UnreadableScript) {
      if trust == .root, let remark = try Self.reasonNotForRoot(path) {
        (found.remark, found.isElsewhere) = (remark, true)
        return found
      }
      let file = try TrustedFile(path, trust)
      found.status = file.status
      switch try content(file.content(), path, name, knowing: known) {
      case .known(let scripts): found.content = .success(scripts)
      case .describesItself(let key): found.question = key
      }
    } catch {
      found.content = .failure(error)
    }
    return found
  }

  /// Returns why root does not execute a file, regardless of its owner; nil if the file demands it. Executes nothing: root does not ask
  /// a file to describe itself, because only then it would know whether the file is to run as root.
  private static func reasonNotForRoot(_ path: String) throws(UnreadableScript) -> String? {
    let text = String(decoding: try TrustedFile(path, nil).content().prefix(8_192), as: UTF8.self)
    let header: ScriptHeader?
    do throws(ScriptHeader.Mistake) {
      header = try ScriptHeader(text)
    } catch {
      // Which user it names is not known, so it may be meant for root.
      throw UnreadableScript("line \(error.line): \(error)")
    }
    guard let user = header?.members["user"] else { return "does not run as root: its header does not say user=root" }
    return ScriptOwner(user: user.value).isRoot ? nil : "is to run as \(user.value)"
  }

  /// Returns what becomes of a file: its scripts that belong to the owner, or why there is none.
  private func surveyed(_ file: Found, _ known: [String: Script]) -> SurveyedFile {
    var surveyed = SurveyedFile(path: file.path, name: file.name, remark: file.remark, isElsewhere: file.isElsewhere)
    guard file.remark == nil else { return surveyed }
    guard let answer = file.content ?? file.question.flatMap(described) else {
      surveyed.scripts = known.values.filter { $0.path == file.path }.sorted { $0.name < $1.name }
      surveyed.remark = "has not described itself yet"
      return surveyed
    }
    do throws(UnreadableScript) {
      for var script in try answer.get() {
        guard owner.owns(script) else {
          let user = script.user ?? "another user"
          // On the system bus, another process serves it.
          if places.isOfSystem {
            (surveyed.remark, surveyed.isElsewhere) = ("is to run as \(user)", true)
          } else {
            surveyed.fault = UnreadableScript("is to run as \(user), and is ignored")
          }
          continue
        }
        (script.stamp, script.trust) = (FileStamp(file.status), trust)
        surveyed.scripts.append(script)
      }
    } catch {
      surveyed.fault = error
    }
    return surveyed
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
    switch try content(TrustedFile(path, nil).content(), path, name, knowing: known) {
    case .known(let scripts): return scripts
    case .describesItself(let key): return try sendable(ScriptDescriber.flows(of: key.path, digest: key.digest))
    }
  }

  private enum Content {
    case known([Script])
    case describesItself(ScriptDescriptions.Key)
  }

  private func content(
    _ source: [UInt8], _ path: String, _ name: String, knowing known: [String: Script]
  ) throws(UnreadableScript) -> Content {
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
}

/// A file in a directory with scripts, and what becomes of it.
package struct SurveyedFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The flow that the file is named after; nil if its name cannot be one.
  package let name: String?
  /// The scripts that are served.
  package var scripts: [Script] = []
  /// The mistake because of which none is served, which belongs in the log.
  package var fault: UnreadableScript?
  /// Why it is not served, if that is no mistake of the file.
  package var remark: String?
  /// Whether another process serves the scripts of the system for the user that the file names, and knows more.
  package var isElsewhere = false

  /// Why it is not served; nil if it is.
  package var reason: String? { scripts.isEmpty ? fault?.description ?? remark : nil }
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

  /// Whether the scripts run as root.
  package let isRoot: Bool

  /// Creates an owner. By default, it is root if that is its name; the user of a process is root by its number, which may have
  /// another name, or none.
  package init(user: String, takesNameless: Bool = true, isRoot: Bool? = nil) {
    (self.user, self.takesNameless, self.isRoot) = (user, takesNameless, isRoot ?? user.bytes.equals("root"))
  }

  /// The user of this process, including all scripts that do not name a user.
  package static var own: ScriptOwner { ScriptOwner(user: ownName, isRoot: geteuid() == 0) }

  /// The name of the user of this process; its number if it has none.
  package static var ownName: String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(geteuid())" }
    return String(cString: entry.pw_name)
  }

  func owns(_ script: Script) -> Bool {
    script.user.map { $0.bytes.equals(user) || isRoot && $0.bytes.equals("root") } ?? takesNameless
  }
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
