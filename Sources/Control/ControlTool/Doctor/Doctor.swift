import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import CoordinatorKit
import DBus
import Glibc
import Platform
import RendererKit

/// `coordinatorctl doctor`: checks everything that flows need, and says what to do about what is wrong. Starts and changes
/// nothing.
public struct Doctor: Sendable {
  private let bus: BusAddress
  private let environment: [String: String]
  private let scripts: [String]
  private let output: ToolOutput

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - bus: bus of the daemon.
  ///   - environment: environment of this process.
  ///   - scripts: directories of scripts, which need not exist.
  ///   - output: output of the command.
  public init(on bus: BusAddress, environment: [String: String], scripts: [String], output: ToolOutput) {
    (self.bus, self.environment, self.scripts, self.output) = (bus, environment, scripts, output)
  }

  /// Checks, and prints a line for each result.
  ///
  /// - Returns: the exit code; an error if a check has failed.
  public func run() async -> ToolExit {
    let report = HealthReport(checks: await checks())
    output.say(report.lines(style: output.style), json: report.json)
    return report.exit
  }

  private func checks() async -> [HealthCheck] {
    let client: DaemonClient
    do {
      client = try await DaemonClient.connect(to: bus)
    } catch {
      let reason: String = if case .connection(.cannotConnect(_, let reason)) = error { reason } else { error.description }
      return [.unreachable(bus, reason, environment: environment)] + offline(DaemonFacts(isSystem: bus == .system))
    }
    let facts = await facts(client)
    let units = facts.hasManager ? await self.units(client) : nil
    // A daemon of another name has versions of another program.
    let own = DaemonName.chosenUnlessStandard == nil ? Release.version : nil
    var checks: [HealthCheck] = [.reached(bus), .daemon(facts)]
    if let version = HealthCheck.version(facts, own: own) { checks.append(version) }
    checks.append(await engine(client, facts))
    checks += [.units(units, facts)] + offline(facts) + (await online(client, facts))
    await client.close()
    return checks
  }

  // MARK: The bus

  private func facts(_ client: DaemonClient) async -> DaemonFacts {
    var facts = DaemonFacts(isSystem: bus == .system)
    facts.process = (try? await client.process()) ?? nil
    facts.isActivatable = await isActivatable(Contract.busName, client)
    facts.hasManager = await hasOwner(Self.manager, client)
    guard let process = facts.process else { return facts }
    facts.userName = HistoryStyle.systemName(ofUser: process.user)
    facts.uptime = DaemonUptime.start(of: process.number).map { TreeRow.age(since: $0, at: Timestamp.now.microseconds) }
    facts.isReplaced = Self.isReplaced(process.number)
    do {
      facts.properties = try await properties(client)
    } catch {
      facts.refusal = error
    }
    return facts
  }

  /// Reads the properties of the daemon, without starting it if it has ended meanwhile.
  private func properties(_ client: DaemonClient) async throws(ClientError) -> [String: Value] {
    do {
      let reply = try await client.connection.call(
        destination: Contract.busName, path: Contract.rootPath, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
        arguments: [.string(Contract.managerInterface)], deadline: .seconds(10), autoStart: false)
      return reply.first?.vardict ?? [:]
    } catch {
      throw ClientError(error)
    }
  }

  private func hasOwner(_ name: String, _ client: DaemonClient) async -> Bool {
    await ask("NameHasOwner", [.string(name)], client)?.first?.bool ?? false
  }

  private func isActivatable(_ name: String, _ client: DaemonClient) async -> Bool {
    let names = await ask("ListActivatableNames", [], client)?.first?.elements ?? []
    return names.contains { $0.string.map { $0.bytes.equals(name) } ?? false }
  }

  /// Calls a method of the bus itself; nil if it fails.
  private func ask(_ member: String, _ arguments: [Value], _ client: DaemonClient) async -> [Value]? {
    let driver = "org.freedesktop.DBus"
    return try? await client.connection.call(
      destination: driver, path: "/org/freedesktop/DBus", interface: driver, member: member, arguments: arguments,
      deadline: .seconds(10), autoStart: false)
  }

  /// Returns whether the file of a process's program was replaced; nil if that cannot be seen.
  private static func isReplaced(_ process: UInt32) -> Bool? {
    var path = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/\(process)/exe", &path, path.count)
    guard count > 0 else { return nil }
    return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self).bytes.hasSuffix(" (deleted)")
  }

  // MARK: Services

  private static let manager = "org.freedesktop.systemd1"

  /// Reads the units of coordinatord that the service manager has loaded; nil if it does not answer.
  private func units(_ client: DaemonClient) async -> [UnitState]? {
    let reply = try? await client.connection.call(
      destination: Self.manager, path: "/org/freedesktop/systemd1", interface: "\(Self.manager).Manager",
      member: "ListUnitsByPatterns",
      arguments: [.strings([]), .strings(["coordinator*"])], deadline: .seconds(10), autoStart: false)
    return reply?.first?.elements?.compactMap { unit in
      guard let members = unit.members, members.count > 3, let name = members[0].string, let load = members[2].string,
        let active = members[3].string
      else { return nil }
      return UnitState(name: name, load: load, active: active)
    }
  }

  private func engine(_ client: DaemonClient, _ facts: DaemonFacts) async -> HealthCheck {
    let found = scripts.map { ($0, DirectoryContent.programs(in: $0)) }.filter { !$0.1.isEmpty }
    let isRunning = await hasOwner(Contract.scriptsName, client)
    return .engine(
      isRunning: isRunning, isActivatable: await isActivatable(Contract.scriptsName, client),
      scripts: found.reduce(0) { $0 + $1.1.count }, unserved: isRunning ? await unserved(client) : 0, in: found.map(\.0), facts)
  }

  /// Returns the number of files whose mistakes keep the engine from serving them, as the engine has seen them.
  private func unserved(_ client: DaemonClient) async -> Int {
    var count = 0
    for file in scripts.flatMap(DirectoryContent.names) where !file.bytes.hasPrefix(".") {
      let flow = [".sh", ".py"].lazy.compactMap { file.bytes.dropping(suffix: $0).map(String.init) }.first ?? file
      let reply = try? await client.connection.call(
        destination: Contract.scriptsName, path: "/org/coordinatord/Scripts1", interface: "org.coordinatord.Scripts1",
        member: "ExplainFlow", arguments: [.string(flow)], deadline: .seconds(10), autoStart: false)
      if reply?.first?.string?.bytes.contains(" is no flow: ") == true { count += 1 }
    }
    return count
  }

  /// Returns the results that need no bus.
  private func offline(_ facts: DaemonFacts) -> [HealthCheck] { [lingering(facts), state(facts)].compactMap(\.self) }

  /// Lingering concerns the services of users, where systemd runs the machine.
  private func lingering(_ facts: DaemonFacts) -> HealthCheck? {
    guard bus == .session, DirectoryContent.exists("/run/systemd/system"), let user = HistoryStyle.systemName(ofUser: getuid())
    else { return nil }
    return .lingering(DirectoryContent.exists("/var/lib/systemd/linger/\(user)"), user: user)
  }

  private func state(_ facts: DaemonFacts) -> HealthCheck {
    let serving = facts.process.flatMap(ServingDaemon.init)
    if serving?.keepsNothing == true {
      return HealthCheck("state", "nothing is kept: the daemon runs with --ephemeral")
    }
    // The unit of the system's daemon names this directory.
    let systemDirectory = "/var/lib/coordinatord"
    if serving == nil, facts.isSystem, DirectoryContent.exists(systemDirectory) {
      return .state(DirectoryContent.facts(of: systemDirectory), isRunning: facts.process != nil)
    }
    if serving == nil, facts.process != nil {
      return HealthCheck("state", "not checked: the daemon runs as another user")
    }
    do throws(ToolFailure) {
      let directory = try HistoryPlace.directory(
        stateDirectory: nil, name: .chosenUnlessStandard, serving: serving, environment: environment,
        hasJournal: HistoryReader.isThere(in:))
      return .state(DirectoryContent.facts(of: directory), isRunning: facts.process != nil)
    } catch {
      return HealthCheck("state", "not checked: \(error.lines.first ?? "")")
    }
  }

  // MARK: The daemon

  /// Returns the results that only a daemon knows that has answered.
  private func online(_ client: DaemonClient, _ facts: DaemonFacts) async -> [HealthCheck] {
    guard facts.properties != nil else { return [] }
    var checks = [HealthCheck.limits(facts)].compactMap(\.self)
    if let providers = try? await client.manager.listProviders() { checks.append(.providers(providers)) }
    let flows = facts.properties?["ActiveFlows"]?.uint64 ?? 0
    guard flows <= Self.mostTrees else {
      return checks + [HealthCheck("held", "not checked: there are \(flows) flow trees; see: coordinatorctl list")]
    }
    let session = ToolSession(daemon: client, output: output) { _ in nil }
    if let nodes = try? await TreeNodes(session).all() { checks.append(.held(nodes.flatMap(\.holds))) }
    return checks
  }

  /// The maximum number of trees that are read.
  private static let mostTrees = 2_000
}

extension TreeNode {
  /// The held coordinators of the tree, each with the reason; of a held tree, its root.
  fileprivate var holds: [(name: String, reason: String)] {
    guard let held else { return children.flatMap(\.holds) }
    return [(path.string.bytes.dropping(prefix: "\(Contract.flowsPath.string)/").map(String.init) ?? path.string, held)]
  }
}

/// Looks at directories, and changes nothing.
private enum DirectoryContent {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the names of the executable files in a directory, without hidden ones.
  static func programs(in directory: String) -> [String] {
    names(in: directory).filter { name in
      var status = stat()
      return !name.bytes.hasPrefix(".") && stat("\(directory)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && status.st_mode & 0o111 != 0
    }
  }

  static func facts(of directory: String) -> DirectoryFacts {
    var facts = DirectoryFacts(path: directory)
    var status = stat()
    guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return facts }
    facts.mode = status.st_mode & 0o777
    var system = statvfs()
    if statvfs(directory, &system) == 0 {
      facts.free = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue
      facts.isReadOnly = system.f_flag & UInt(ST_RDONLY) != 0
    }
    facts.damaged = names(in: directory).filter { $0.bytes.hasPrefix("journal.sqlite.damaged-") }.sorted()
    return facts
  }

  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { String(cString: $0) }
        })
    }
    return names
  }
}
