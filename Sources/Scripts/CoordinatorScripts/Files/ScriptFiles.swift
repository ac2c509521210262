import CoordinatorBus
import CoordinatorKit
import DBus
import Forms
import Glibc
import Platform
import ScriptEngine

/// Finds the scripts in directories.
package struct ScriptFiles: Sendable {
  /// The most bytes of a script.
  private static let maxSize = 4 << 20

  package let places: ScriptPlaces
  /// Whose scripts are found.
  private let owner: ScriptOwner
  private let faults = ScriptFaults()
  private let descriptions = ScriptDescriptions()
  /// Receives what is wrong with a file, one line at a time.
  let complain: @Sendable (String) -> Void

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - places: the directories.
  ///   - owner: whose scripts are found: those of others are left to another process.
  ///   - complain: receives what is wrong with a file, one line at a time.
  package init(_ places: ScriptPlaces, of owner: ScriptOwner = .own, complain: @escaping @Sendable (String) -> Void) {
    (self.places, self.owner, self.complain) = (places, owner, complain)
  }

  /// Whether a script was left out since this was asked last, because it took too long.
  func hasLeftOutSlow() -> Bool { faults.takeSlow() }

  /// Has a closure called whenever a file has described itself that was not waited for.
  func listen(_ news: @escaping @Sendable () -> Void) { descriptions.listen(news) }

  /// Reads all scripts.
  ///
  /// - Parameters:
  ///   - known: those that were read before; a file with the same digest is not asked for its description again. As long as a
  ///     file has not described itself, what was known of it holds.
  ///   - time: how long to wait for files that describe themselves.
  /// - Returns: the scripts by the names of their flows. Of several with one name, that in the first directory counts.
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
    /// What it is; nil if it has to say so itself.
    let content: Result<[Script], UnreadableScript>?
    /// What is asked of it then.
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

  /// Looks at one file: nil if it is not executable.
  private func find(_ path: String, _ name: String, _ known: [String: Script]) -> Found? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return nil }
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

  /// The scripts of a file that belong to the owner.
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

  /// What a file has said; nil if it has not yet.
  private func described(_ key: ScriptDescriptions.Key) -> Result<[Script], UnreadableScript>? {
    guard let answer = descriptions.answer(key) else { return nil }
    do throws(UnreadableScript) {
      return .success(try sendable(answer.get()))
    } catch {
      faults.remember(error, of: key.path, digest: key.digest)
      return .failure(error)
    }
  }

  /// Reads the flows of a script, whoever owns it.
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

  /// Returns scripts whose schemas can be sent.
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

  /// Whether nobody but the user and root can have written a script.
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

/// Why a script is not a flow.
package struct UnreadableScript: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether the script has only taken too long.
  let isSlow: Bool

  init(_ description: String, isSlow: Bool = false) { (self.description, self.isSlow) = (description, isSlow) }
}
