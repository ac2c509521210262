import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Logging
import Platform

/// Has the bus start the program that serves scripts, where no service manager does, and finds out why a script is not served.
/// Used only on the host's executor.
///
/// The daemon knows no script: it learns of them from that program. All that it reads itself is which files there are.
final class ScriptProgram {
  /// The maximum time for which a call waits for an unknown flow.
  private static let patience = Duration.seconds(10)

  private let settings: HostSettings
  private let provider: BusProvider
  private let logger: Logger
  private let entry: HostEntry

  /// Creates the part; nothing is started.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the directories.
  init(of host: HostServices, settings: HostSettings) {
    (provider, logger, entry) = (host.provider, host.logger, host.entry)
    self.settings = settings
  }

  private var directories: ScriptDirectories { ScriptDirectories(settings.configuration.scripts) }

  /// Starts the program if a directory has files. On the system bus, it starts when a flow of a provider file is asked for.
  func start() {
    guard !settings.isSystem else { return }
    Task(executorPreference: globalConcurrentExecutor) { [directories, provider, logger] in
      guard let file = directories.first else { return }
      guard let problem = await provider.startScriptProgram() else { return }
      logger.notice("scripts are not served", metadata: ["file": "\(file)", "reason": "\(problem)"])
    }
  }

  /// Whether there may be scripts.
  var isPossible: Bool { !settings.configuration.scripts.isEmpty }

  /// Finds out why a flow is not known, and starts it if this changes. A program that is started, or that has not told its flows
  /// to this daemon yet, gets the time for that.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - call: the call that starts it.
  ///   - kind: when to answer the call.
  func look(for flow: String, _ call: IncomingCall, answerWhen kind: StartWaiter.Kind) {
    let (isSystem, time) = (settings.isSystem, min(Self.patience, settings.configuration.providerStartTime))
    Task(executorPreference: globalConcurrentExecutor) { [directories, provider, entry] in
      let reason =
        isSystem
        ? await provider.reasonOnSystem(against: flow, in: directories)
        : await provider.reasonAfterStart(against: flow, in: directories, until: .now + time)
      await entry.host?.run { parts in
        // The flow may be known by now, and closed to the caller.
        if !parts.access.refuses(call) { parts.starts.start(call, answerWhen: kind, whereUnknown: reason) }
      }
    }
  }
}

/// The directories with scripts, as far as the daemon looks at them.
struct ScriptDirectories: Sendable {
  private let paths: [String]

  init(_ paths: [String]) { self.paths = paths }

  /// The path of a file in the first directory that has one; nil if none has. Blocks for a few system calls.
  var first: String? { file { _ in true } }

  /// Returns the path of the file that is named after a flow; nil if there is none.
  func file(of flow: String) -> String? {
    file { name in [".sh", ".py", ""].contains { name.bytes.dropping(suffix: $0).map { $0.bytes.equals(flow) } ?? false } }
  }

  private func file(_ isWanted: (String) -> Bool) -> String? {
    for path in paths {
      guard let stream = opendir(path) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        guard entry.pointee.d_type != UInt8(DT_DIR) else { continue }
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.bytes.hasPrefix("."), !name.bytes.hasSuffix("~"), isWanted(name) { return "\(path)/\(name)" }
      }
    }
    return nil
  }
}

extension BusProvider {
  /// Asks the bus to start the program that serves scripts; returns why it cannot, or nil if the program runs.
  func startScriptProgram() async -> String? {
    do {
      let call = MethodCall.bus("StartServiceByName", [.string(Contract.scriptsName), .uint32(0)])
      _ = try await connection.call(call, deadline: startTime)
      return nil
    } catch let error as DBusError {
      return error.message
    } catch ConnectionError.timedOut {
      return "it was started, but has not taken its name within \(startTime)"
    } catch {
      return "\(error)"
    }
  }

  /// Returns why a flow is unknown on a session bus; nil if nothing is known of it, or if it is served now.
  func reasonAfterStart(
    against flow: String, in directories: ScriptDirectories, until end: ContinuousClock.Instant
  ) async -> String? {
    let name = Contract.scriptsName
    if await owner(of: name) == .nobody {
      guard let file = directories.file(of: flow) ?? directories.first else { return nil }
      if let problem = await startScriptProgram() {
        guard directories.file(of: flow) != nil else { return nil }
        return "\(file) may be its script, but coordinator-scripts, which serves scripts, cannot be started: \(problem)"
      }
    }
    func isTold() -> Bool { withTable { $0.provider(of: flow) != nil || $0.hasRegistration(under: name) } }
    // Another registration may come first.
    while !isTold(), .now < end {
      guard await arrivals.wait(for: name, until: end, unless: isTold) else { break }
    }
    func isServed() -> Bool { withTable { $0.provider(of: flow) != nil } }
    guard !isServed() else { return nil }
    let reason = await explanation(of: flow, by: name)
    // The file has just been written: the program has read it for the explanation, and is about to register it.
    if reason == nil, directories.file(of: flow) != nil {
      _ = await arrivals.wait(for: flow, until: min(end, .now + .seconds(2)), unless: isServed)
    }
    return reason
  }

  /// Returns why a flow is unknown on the system bus; nil if there is no file that is named after it.
  func reasonOnSystem(against flow: String, in directories: ScriptDirectories) async -> String? {
    guard let file = directories.file(of: flow) else { return nil }
    for name in [Contract.scriptsName, Contract.scriptsOfRootName] {
      // Each of them serves what the other one leaves, and does not explain that.
      if let reason = await explanation(of: flow, by: name) { return reason }
    }
    return """
      \(file) may be its script, but no provider file gives the flow to \(Contract.scriptsName) or, if it runs as root, to \
      \(Contract.scriptsOfRootName); 'coordinator-scripts files --system' says whether it is one
      """
  }

  /// Replaces a decision to start an unknown flow as a child by the reason why its script is not served, if there is one. A script
  /// that was written a moment ago gets the time to be served.
  ///
  /// - Parameters:
  ///   - answer: the decision.
  ///   - flow: the flow that has decided.
  ///   - end: the time until which it may wait.
  /// - Returns: the answer to take.
  func explained(_ answer: FlowAnswer, of flow: String, until end: ContinuousClock.Instant) async -> FlowAnswer {
    guard case .decided(let decision) = answer else { return answer }
    for case .startChild(let child, _, _, _) in decision.operations {
      guard !isBuiltIn(child), withTable({ $0.provider(of: child) == nil }), scripts.file(of: child) != nil,
        mayStart(child, asChildOf: flow)
      else { continue }
      let reason =
        isSystem
        ? await reasonOnSystem(against: child, in: scripts)
        : await reasonAfterStart(against: child, in: scripts, until: min(end, .now + startTime))
      if let reason {
        return .trouble(.failed("the provider has decided what cannot be done: \(Refusal.unknownFlow(child)): \(reason)"))
      }
    }
    return answer
  }

  /// Asks the program that serves scripts why it does not serve one; nil if it does not say.
  private func explanation(of flow: String, by name: String) async -> String? {
    let call = MethodCall(
      destination: name, path: "/org/coordinatord/Scripts1", interface: "org.coordinatord.Scripts1", member: "ExplainFlow",
      arguments: [.string(flow)], autoStart: false)
    guard let reply = try? await connection.call(call, deadline: .seconds(2)) else { return nil }
    return reply.first?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
