import Forms
import Platform
import ScriptEngine

/// A script that is a flow.
package struct Script: Sendable, Hashable {
  /// How a script is executed.
  package enum Kind: Sendable, Hashable {
    /// Each run is a process, in which each operation is a process.
    case processes
    /// One process has all runs, and speaks the protocol.
    case host
  }

  /// The name of the flow.
  package var name: String
  package var title: String
  package var summary: String
  package var version: UInt32
  package var isRehearsable: Bool
  /// The name of the user that the script is to run as; nil if it does not say.
  package var user: String?
  /// The JSON Schema of the input; nil if there is none.
  package var input: JSONValue?
  /// The JSON Schema of the result; nil if there is none.
  package var result: JSONValue?
  package var kind: Kind
  /// Where the script would execute what somebody types; nil if it does so nowhere.
  var evaluated: EvaluatedAnswer?
  /// The path of the file.
  package var path: String
  /// Changes with the content of the file.
  package var digest: String
  /// Changes whenever the file does.
  package var stamp = FileStamp()

  /// Creates a script of which nothing is known but its file.
  package init(_ name: String, path: String, digest: String, kind: Kind) {
    (self.name, self.path, self.digest, self.kind) = (name, path, digest, kind)
    (title, summary, version, isRehearsable) = (name, "", 1, false)
  }

  /// The name of the file without its directory.
  package var file: String { path.bytes.cutLast(at: "/").map { String($0.after) } ?? path }
}
