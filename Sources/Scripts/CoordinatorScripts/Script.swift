import Forms
import Glibc
import Platform
import ScriptEngine

/// A script that is a flow.
package struct Script: Sendable, Hashable {
  /// How a script is executed.
  package enum Kind: Sendable, Hashable {
    /// Each run has a dedicated process, in which each operation is a child process.
    case processes
    /// One process executes all runs, and speaks the protocol.
    case host
  }

  /// The name of the flow.
  package var name: String
  package var title: String
  package var summary: String
  /// The title and the summary in other languages.
  package var titles: [LanguageTag: String] = [:]
  package var summaries: [LanguageTag: String] = [:]
  package var version: UInt32
  package var isRehearsable: Bool
  /// The name of the user that the script is to run as; nil if it names none.
  package var user: String?
  /// The JSON Schema of the input; nil if there is none.
  package var input: JSONValue?
  /// The JSON Schema of the result; nil if there is none.
  package var result: JSONValue?
  package var kind: Kind
  /// Where the script would execute text that a user types; nil if there is no such place.
  var evaluated: EvaluatedAnswer?
  /// The path of the file.
  package var path: String
  /// Changes with the content of the file.
  package var digest: String
  /// Changes whenever the file does.
  package var stamp = FileStamp()
  /// Who may have written the file.
  package var trust = ScriptTrust.own

  /// Creates a script of which only the file is known.
  package init(_ name: String, path: String, digest: String, kind: Kind) {
    (self.name, self.path, self.digest, self.kind) = (name, path, digest, kind)
    (title, summary, version, isRehearsable) = (name, "", 1, false)
  }

  /// The name of the file without its directory.
  package var file: String { path.bytes.cutLast(at: "/").map { String($0.after) } ?? path }
}

/// Changes whenever a file does, as far as can be seen without reading it.
package struct FileStamp: Sendable, Hashable {
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var seconds = 0
  private var nanoseconds = 0

  /// Creates the stamp of a file that does not exist.
  package init() {}

  /// Creates the stamp of a file.
  ///
  /// - Parameter path: the path of the file.
  package init(of path: String) {
    var status = stat()
    self.init(stat(path, &status) == 0 ? status : stat())
  }

  /// Returns whether a path leads to a file that can be executed.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: whether it does.
  package static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

/// The scripts that are served. Several tasks may read the directories at the same time, and may end in any order: the reading
/// that began last counts.
struct ScriptCatalog: Sendable {
  /// A reading of the directories.
  struct Reading: Sendable {
    fileprivate let number: UInt64
    /// The scripts that were known when it began.
    let known: [String: Script]
  }

  /// The result of a reading.
  enum Merge: Sendable {
    case changed
    case same
    /// A reading that began later has ended first with another result: read the directories again.
    case overtaken
  }

  /// The scripts by the names of their flows.
  private(set) var scripts: [String: Script]
  private var begun: UInt64 = 0
  private var newest: UInt64 = 0

  /// Creates a catalog with the scripts that were read first.
  init(_ scripts: [String: Script] = [:]) { self.scripts = scripts }

  /// Begins a reading. It may miss changes from now on.
  mutating func begin() -> Reading {
    begun += 1
    return Reading(number: begun, known: scripts)
  }

  /// Ends a reading.
  ///
  /// - Parameters:
  ///   - reading: the reading.
  ///   - found: the scripts that it has found.
  /// - Returns: the result.
  mutating func end(_ reading: Reading, _ found: [String: Script]) -> Merge {
    guard reading.number > newest else { return found == scripts ? .same : .overtaken }
    newest = reading.number
    guard found != scripts else { return .same }
    scripts = found
    return .changed
  }
}
