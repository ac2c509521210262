import Forms
import Platform

extension ScriptFiles {
  /// Reads a script that is to be tried, whoever owns it, and the others beside it, which it may start as children.
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
