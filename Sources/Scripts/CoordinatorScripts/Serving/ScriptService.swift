import CoordinatorBus
import CoordinatorKit
import CoordinatorProvider
import DBus
import Forms
import Glibc
import Platform
import ScriptEngine

/// Serves scripts as flows. May be used from any thread.
package final class ScriptService: FlowService {
  private struct State: Sendable {
    var catalog = ScriptCatalog()
    var listeners: [AsyncStream<Void>.Continuation] = []
  }

  /// How long the flows of all other files wait for a file that has to describe itself: at the start, and when files change.
  private static let startPatience = Duration.seconds(2)
  /// How long a flow waits if its own file has changed. Longer than a file may take.
  private static let ownPatience = Duration.seconds(6)

  private let files: ScriptFiles
  private let runs: ScriptRuns
  private let state: Lock<State>

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - files: finds the scripts.
  ///   - directory: a private directory for the socket.
  ///   - translations: the translations of the messages that scripts do not word themselves.
  ///   - patience: how long a run may wait for the next answer; zero to keep none, which tests do.
  ///   - report: receives the lines that scripts write, after the name of their writer.
  ///   - failed: receives the reasons of failures, line by line, after the name of the coordinator or the file.
  /// - Throws: an error that describes itself.
  package init(
    _ files: ScriptFiles, directory: String, translations: Translations = .none, patience: Duration = .seconds(60),
    report: @escaping @Sendable (String, String) -> Void, failed: @escaping @Sendable (String, String) -> Void
  ) throws {
    self.files = files
    let notes = AuthorNotes()
    let starter = try RunStarter(
      in: directory, trust: files.trust,
      report: { name, line in
        notes.add(line, of: name)
        report(name, line)
      },
      failed: { name, lines in
        for line in lines {
          notes.add(line, of: name)
          failed(name, line)
        }
      })
    let cache = RunCache(patience: patience, capacity: Self.capacity)
    runs = ScriptRuns(starter: starter, cache: cache, notes: notes, translations: translations)
    state = Lock(State(catalog: ScriptCatalog(files.read(knowing: [:], waiting: Self.startPatience))))
    files.listen { [weak self] in self?.reload() }
    askSlowAgain()
  }

  /// Reads the directories again after a while if a script took too long.
  private func askSlowAgain() {
    guard files.hasLeftOutSlow() else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(10))
      self?.reload()
    }
  }

  /// The notes for authors and administrators.
  package var notes: AuthorNotes { runs.notes }

  /// The scripts by the names of their flows.
  package var scripts: [String: Script] { state.withLock(\.catalog.scripts) }

  /// Reads the directories again, and registers the changes.
  package func reload() { reload(waiting: Self.startPatience) }

  private func reload(waiting time: Duration) {
    var merge: ScriptCatalog.Merge
    repeat {
      let reading = state.withLock { $0.catalog.begin() }
      let new = files.read(knowing: reading.known, waiting: time)
      merge = state.withLock { $0.catalog.end(reading, new) }
    } while merge == .overtaken
    askSlowAgain()
    guard merge == .changed else { return }
    let (scripts, listeners) = state.withLock { ($0.catalog.scripts, $0.listeners) }
    runs.cache.endChanged(scripts.mapValues(\.digest))
    for listener in listeners { listener.yield() }
  }

  /// Returns why no script serves a flow although a file could; nil if there is no such file, if another process
  /// serves it, or if the flow is served.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: the reason, with the path of the file.
  func reason(against flow: String) -> String? {
    guard scripts[flow] == nil else { return nil }
    // Any caller of the daemon can ask often: the other files are not read.
    let files = files.survey(knowing: scripts, waiting: .zero, of: flow)
    // It was written a moment ago.
    if files.contains(where: { $0.scripts.contains { $0.name == flow } }) { reload() }
    return files.first { $0.reason != nil && !$0.isElsewhere }.map { file in
      "\(file.path) \(file.fault == nil ? "" : "is no flow: ")\(file.reason ?? "")"
    }
  }

  /// The maximum number of kept runs, each of which may need four descriptors.
  private static var capacity: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 200 }
    return max(16, min(1_000, (Int(clamping: limit.rlim_cur) - 64) / 4))
  }

  /// Stops all runs.
  package func end() {
    runs.cache.endAll()
    // The threads that end them may not get to it before this process ends, and a loop that asks would never end.
    RunProcesses.tellAll()
    runs.starter.end()
    RunProcesses.waitForAll(and: runs.starter.departures.orphans)
  }

  // MARK: The provider

  package var registration: [[String: Value]] {
    get throws {
      try scripts.values.sorted { $0.name < $1.name }.map { script in
        var values: [String: Value] = [
          "name": .string(script.name), "title": .string(script.title), "version": .uint32(script.version),
          "deadline": .uint64(20_000_000),
        ]
        if !script.summary.isEmpty { values["summary"] = .string(script.summary) }
        values["titles"] = Value(translations: script.titles)
        values["summaries"] = Value(translations: script.summaries)
        if script.isRehearsable { values["rehearsable"] = .boolean(true) }
        values["input"] = try script.input.map { try Value(json: $0) }
        values["result"] = try script.result.map { try Value(json: $0) }
        return values
      }
    }
  }

  package var digest: String {
    ScriptDigest.text(of: scripts.values.sorted { $0.name < $1.name }.map { "\($0.name) \($0.digest)" })
  }

  package var servesWhatItCan: Bool { true }
  package var keepsSecrets: Bool { !runs.results.isEmpty }

  package var changes: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listeners.append(continuation) }
    return stream
  }

  package func decide(_ question: FlowQuestion) async -> FlowAnswer {
    // The directories are watched, but a call may arrive before the notification of a change.
    if let known = scripts[question.instance.flow], known.stamp != FileStamp(of: known.path) {
      reload(waiting: Self.ownPatience)
    }
    guard let script = scripts[question.instance.flow] else {
      let flow = question.instance.flow
      return .trouble(.failed(reason(against: flow) ?? "there is no script for the flow \(flow)"))
    }
    return await Decider(script, question, runs).answer()
  }

  package func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String {
    guard let argument = WorkArgument(work.argument) else { throw ScriptCrash("the work \(work.id) is not known") }
    return try await ScriptWork(work.id, argument, instance, attempt, runs).perform(in: context)
  }

  package func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]? { nil }

  package func showsLiveValues(_ flow: String) -> Bool { false }

  package func forget(_ instance: String) {
    runs.cache.end(instance, .cancelled)
    runs.results.keep(only: [], of: instance)
    runs.starter.forget(instance)
  }
}

/// The object of this program for authors and administrators of scripts: `coordinatorctl script` calls it.
package struct ScriptsObject: ExportedObject {
  /// The path of the object.
  package static let path: ObjectPath = "/org/coordinatord/Scripts1"
  /// The interface of the object.
  package static let interface = InterfaceDescription(
    "org.coordinatord.Scripts1",
    methods: [
      MethodDescription("ReadOutput", inputs: [Argument("coordinator", "o")], outputs: [Argument("lines", "as")]),
      MethodDescription("DropLast", inputs: [Argument("coordinator", "o")]),
      MethodDescription("ExplainFlow", inputs: [Argument("flow", "s")], outputs: [Argument("reason", "s")]),
    ])

  private let service: ScriptService
  private let connection: Connection

  /// Creates the object.
  package init(_ service: ScriptService, on connection: Connection) { (self.service, self.connection) = (service, connection) }

  package var interfaces: [InterfaceDescription] { [Self.interface] }

  package func handle(_ call: IncomingCall) {
    Task {
      // The daemon passes it on to all its callers.
      if call.member == "ExplainFlow" {
        return call.reply([.string(call.arguments.first?.string.flatMap(service.reason(against:)) ?? "")])
      }
      // On the system bus, any user may call.
      guard await isAdministrator(call.sender) else {
        return call.fail(.accessDenied("only root and the user of this program may do this"))
      }
      answer(call)
    }
  }

  private func answer(_ call: IncomingCall) {
    guard let path = call.arguments.first?.objectPath, let coordinator = CoordinatorPath(objectPath: path) else {
      return call.fail(.invalidArgs("the argument is not the path of a coordinator"))
    }
    switch call.member {
    case "ReadOutput": call.reply([.strings(service.output(of: coordinator))])
    case "DropLast":
      service.notes.drop(coordinator.text)
      call.reply()
    default: call.fail(.unknownMethod("no method \(call.member)"))
    }
  }

  private func isAdministrator(_ sender: String) async -> Bool {
    let bus = "org.freedesktop.DBus"
    let reply = try? await connection.call(
      MethodCall(
        destination: bus, path: "/org/freedesktop/DBus", interface: bus, member: "GetConnectionUnixUser",
        arguments: [.string(sender)]))
    guard case .uint32(let user)? = reply?.first else { return false }
    return user == 0 || user == geteuid()
  }
}

extension ScriptService {
  /// Returns the last lines that a coordinator has written; if its flow shares a process with others, also theirs.
  func output(of coordinator: CoordinatorPath) -> [String] {
    let lines = notes.lines(of: coordinator.description)
    guard lines.isEmpty, let script = script(of: coordinator) else { return lines }
    return notes.lines(of: script.file)
  }

  private func script(of coordinator: CoordinatorPath) -> Script? {
    guard let element = coordinator.name.bytes.cutLast(at: "_")?.before else { return nil }
    return scripts.values.first { $0.name.bytes.replacing("-", with: "_").bytes.equals(element) }
  }
}
