import CoordinatorKit
import CoordinatorScripts
import Forms
import RendererKit
import ScriptEngine

/// A log that was recorded with an earlier version of a script, and kept as a test.
package struct KeptLog: Sendable {
  private let flow: String
  private let log: ScriptLog

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - text: what `coordinator-scripts export` has printed.
  ///   - name: the name of the file, for messages.
  ///   - flows: the flows of the script.
  /// - Throws: `ToolFailure` if it is not a log of one of the flows.
  package init(_ text: String, of name: String, among flows: [String]) throws {
    guard let json = JSONValue(json: text) else { throw ToolFailure(["\(name) is not JSON".printable]) }
    let flow = json["flow"]?.string ?? (flows.count == 1 ? flows[0] : "")
    guard flows.contains(flow) else {
      throw ToolFailure(["\(name) is a log of '\(flow)', which is not a flow of this script".printable])
    }
    self.flow = flow
    do {
      log = try ScriptLog(json: json)
    } catch {
      throw ToolFailure(["\(name): \(error)".printable])
    }
  }

  /// Creates a log of a flow.
  init(_ log: ScriptLog, of flow: String) { (self.log, self.flow) = (log, flow) }

  /// Executes the script with the log.
  ///
  /// - Parameter scripts: executes the script.
  /// - Returns: where the script no longer fits; nil if it passes everything that is recorded.
  package func misfit(on scripts: LocalScripts) async -> String? {
    guard let script = scripts.scripts[flow] else { return "there is no script for the flow \(flow)" }
    let (trace, after) = await scripts.traceAndLog(script, as: LocalScripts.instance(of: flow), with: log)
    if let held = trace.operations.last(where: { $0.kind == ScriptTrace.held }) { return "does not fit: \(held.key)" }
    let operations = trace.operations.filter { $0.kind != ScriptTrace.noPatch }
    for (index, entry) in log.entries.enumerated() {
      let found = index < after.entries.count ? after.entries[index] : nil
      let now = index < operations.count ? operations[index] : nil
      if let found, let now, now.key == entry.key, now.kind == entry.body.word, found.isOpen == entry.isOpen { continue }
      let place = entry.place.isEmpty ? "" : " at \(entry.place)"
      return "does not fit: recorded \(index + 1). \(entry.body.word) \"\(entry.key)\"\(place);"
        + " now \(index + 1). \(now?.text(in: script) ?? "nothing")"
    }
    return nil
  }
}
