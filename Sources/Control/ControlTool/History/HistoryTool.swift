import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import Glibc
import Platform
import RendererKit

/// The `coordinatorctl log` command, which reads the history that a daemon keeps, whether or not the daemon is running.
public struct HistoryTool: Sendable {
  private let reader: HistoryReader
  private let output: ToolOutput
  private let style: HistoryStyle

  /// Creates a tool.
  ///
  /// - Parameters:
  ///   - directory: state directory of the daemon.
  ///   - output: output of the command.
  ///   - style: format of the entries.
  public init(directory: String, output: ToolOutput, style: HistoryStyle = HistoryStyle()) {
    reader = HistoryReader(directory: directory)
    self.output = output
    self.style = style
  }

  /// Prints the newest entries that match a query, oldest first.
  ///
  /// - Throws: ``ToolFailure``.
  public func show(_ query: HistoryQuery) throws(ToolFailure) {
    var table = HistoryTable(style: style, text: output.style)
    let entries = try page(query).entries
    if entries.isEmpty, !output.isJSON { output.say(["No matching entries."], json: .null) }
    say(entries, in: &table)
  }

  /// Prints the newest entries that match a query, then every new one, indefinitely.
  ///
  /// - Parameters:
  ///   - query: query that the entries must match.
  ///   - pause: closure that waits before the journal is read again. Throwing ends the method.
  /// - Throws: ``ToolFailure``, and whatever `pause` throws.
  public func follow(_ query: HistoryQuery, pause: () async throws -> Void) async throws {
    var table = HistoryTable(style: style, text: output.style)
    let first = try page(query)
    say(first.entries, in: &table)
    var seen = first.lastNumber
    while true {
      try await pause()
      // A daemon that finds its journal damaged starts a new one, so the numbers may start over.
      guard let page = try pageIfAny(query, after: seen) else { continue }
      if page.lastNumber >= seen { say(page.entries, in: &table) }
      seen = page.lastNumber < seen ? 0 : page.lastNumber
    }
  }

  /// Returns the coordinator that a command-line argument refers to: `pets_1`, `pets_1/schedule_visit_1`, or the object
  /// path of either.
  ///
  /// - Throws: ``ToolFailure`` if the argument is not a coordinator's path.
  public static func path(_ text: String) throws(ToolFailure) -> CoordinatorPath {
    let names = text.bytes.dropping(prefix: "\(Contract.flowsPath.string)/") ?? text[...]
    guard let path = CoordinatorPath(names: names.bytes.split(separator: "/")), path.text.bytes.equals(names) else {
      throw ToolFailure(
        ["'\(text.printable)' is not a coordinator; expected a name such as pets_1/schedule_visit_1"], exit: .usage)
    }
    return path
  }

  private func say(_ entries: [HistoryEntry], in table: inout HistoryTable) {
    if output.isJSON {
      for entry in entries { output.say([], json: style.json(of: entry)) }
    } else {
      output.say(table.lines(for: entries), json: .null)
    }
  }

  private func page(_ query: HistoryQuery) throws(ToolFailure) -> HistoryReader.Page {
    do {
      return try reader.page(query)
    } catch {
      throw ToolFailure(error)
    }
  }

  private func pageIfAny(_ query: HistoryQuery, after number: UInt64) throws(ToolFailure) -> HistoryReader.Page? {
    var query = query
    query.after = number
    query.limit = .max
    do {
      return try reader.page(query)
    } catch {
      if case .noJournal = error { return nil }
      throw ToolFailure(error)
    }
  }
}

extension ToolFailure {
  fileprivate init(_ error: JournalError) {
    if case .noJournal = error {
      self.init([error.description, "  give the daemon's state directory with --state-dir"])
    } else {
      self.init([error.description])
    }
  }
}

/// The format of history entries.
public struct HistoryStyle: Sendable {
  private let secondsFromGMT: Int?
  private let nameOfUser: @Sendable (UInt32) -> String?

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  ///   - nameOfUser: closure that returns the name of a user id on this system, or nil if it has none.
  public init(secondsFromGMT: Int? = nil, nameOfUser: @escaping @Sendable (UInt32) -> String? = Self.systemName) {
    self.secondsFromGMT = secondsFromGMT
    self.nameOfUser = nameOfUser
  }

  /// Returns the system's name of a user id (`getpwuid_r`), or nil if it has none.
  @Sendable public static func systemName(ofUser number: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
    return entry.pw_name.map { String(cString: $0) }
  }

  /// Returns the columns of an entry: time, caller, way of the call, event, coordinator, revision and outcome.
  func columns(of entry: HistoryEntry) -> [String] {
    let occasion = entry.occasion
    let event = occasion.name.map { "\(occasion.kind.rawValue) \($0)" } ?? occasion.kind.rawValue
    return [
      time(entry.time), who(occasion.caller), occasion.caller?.way?.printable ?? "-", event.printable,
      (occasion.coordinator ?? entry.root).text.printable,
      "\(entry.revision)", entry.outcome?.printable ?? "",
    ]
  }

  /// Returns an entry as JSON. Unknown values are omitted.
  func json(of entry: HistoryEntry) -> JSONValue {
    let occasion = entry.occasion
    var object: [String: JSONValue] = [
      "number": JSONValue(count: entry.number), "time": JSONValue(count: entry.time), "root": objectPath(entry.root),
      "event": .string(occasion.kind.rawValue), "revision": JSONValue(count: entry.revision),
    ]
    object["coordinator"] = occasion.coordinator.map(objectPath)
    object["name"] = occasion.name.map(JSONValue.string)
    object["user"] = occasion.caller?.user.map { .integer(Int64($0)) }
    object["userName"] = occasion.caller?.user.flatMap(nameOfUser).map(JSONValue.string)
    object["sender"] = (occasion.caller?.name).map(JSONValue.string)
    object["way"] = (occasion.caller?.way).map(JSONValue.string)
    object["outcome"] = entry.outcome.map(JSONValue.string)
    if !entry.failures.isEmpty { object["failures"] = .array(entry.failures.map(json)) }
    return .object(object)
  }

  private func json(of failure: HistoryFailure) -> JSONValue {
    var object: [String: JSONValue] = [
      "coordinator": objectPath(failure.coordinator), "code": .string(failure.code), "reason": .string(failure.reason),
    ]
    object["flow"] = failure.flow.map(JSONValue.string)
    return .object(object)
  }

  private func objectPath(_ path: CoordinatorPath) -> JSONValue { objectPath(path.text) }

  private func objectPath(_ names: String) -> JSONValue { .string("\(Contract.flowsPath.string)/\(names)") }

  private func who(_ caller: Caller?) -> String {
    guard let caller else { return "-" }
    guard let user = caller.user else { return caller.name.printable }
    return "\(nameOfUser(user)?.printable ?? "\(user)") \(caller.name.printable)"
  }

  private func time(_ microseconds: UInt64) -> String {
    CalendarTime(microseconds: microseconds, secondsFromGMT: secondsFromGMT).textWithMilliseconds
  }
}
