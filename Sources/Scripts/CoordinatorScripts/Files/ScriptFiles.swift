import CoordinatorKit
import Forms
import Glibc

/// Finds the scripts in directories.
package struct ScriptFiles: Sendable {
  /// The most bytes of a script.
  private static let maxSize = 4 << 20

  package let places: ScriptPlaces
  /// Receives what is wrong with a file, one line at a time.
  let complain: @Sendable (String) -> Void

  /// Creates a finder.
  package init(_ places: ScriptPlaces, complain: @escaping @Sendable (String) -> Void) {
    (self.places, self.complain) = (places, complain)
  }

  /// Reads all scripts.
  ///
  /// - Parameter known: those that were read before; a file with the same digest is not asked for its description again.
  /// - Returns: the scripts by the names of their flows. Of several with one name, that in the first directory counts.
  package func read(knowing known: [String: Script]) -> [String: Script] {
    var scripts: [String: Script] = [:]
    for directory in places.directories {
      for file in Self.files(in: directory).sorted() {
        guard let name = ScriptName.flow(ofFile: file) else { continue }
        for script in read("\(directory)/\(file)", name, known) where scripts[script.name] == nil {
          scripts[script.name] = script
        }
      }
    }
    return scripts
  }

  private static func files(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), !name.hasSuffix("~") { files.append(name) }
    }
    return files
  }

  /// Reads one file: nothing if it is not executable.
  private func read(_ path: String, _ name: String, _ known: [String: Script]) -> [Script] {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return [] }
    guard isTrusted(status, path) else { return [] }
    do {
      return try read(path, name, knowing: known).map { script in
        var script = script
        script.stamp = FileStamp(status)
        return script
      }
    } catch {
      complain("\(path): \(error)")
      return []
    }
  }

  /// Reads the flows of a script, whoever owns it.
  ///
  /// - Throws: ``UnreadableScript``.
  package func read(_ path: String, _ name: String, knowing known: [String: Script] = [:]) throws(UnreadableScript) -> [Script] {
    guard let source = Self.content(path) else { throw UnreadableScript("cannot be read: \(String(cString: strerror(errno)))") }
    let text = String(decoding: source.prefix(8_192), as: UTF8.self)
    let digest = ScriptDigest.text(of: [String(decoding: source, as: UTF8.self)])
    let same = known.values.filter { $0.path == path && $0.digest == digest }
    if !same.isEmpty { return same }
    do throws(ScriptHeader.Mistake) {
      if let header = try ScriptHeader(text) {
        var script = Script(name, path: path, digest: digest, kind: .processes)
        try header.describe(&script)
        return [script]
      }
    } catch {
      throw UnreadableScript("line \(error.line): \(error)")
    }
    return try ScriptDescriber.flows(of: path, digest: digest)
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

  init(_ description: String) { self.description = description }
}
