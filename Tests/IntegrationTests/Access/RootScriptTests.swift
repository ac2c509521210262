import CoordinatorBus
import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite(
  "Scripts of the system that run as root", .timeLimit(.minutes(5)), .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
struct RootScriptTests {
  /// A directory that only root can change, with everything above it.
  private final class Place: Sendable {
    let path = "/run/coordinatord-tests-\(UUID().uuidString)"
    var flows: String { "\(path)/flows" }
    var notes: String { (try? String(contentsOfFile: "\(path)/notes", encoding: .utf8)) ?? "" }

    init() throws {
      try FileManager.default.createDirectory(
        atPath: flows, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(
      _ file: String, _ header: String, _ lines: String = "ask message hello Hello", mode: mode_t = 0o755
    ) throws -> String {
      let path = "\(path)/\(file)"
      let text = "#!/bin/sh\n\(header.isEmpty ? "" : "# coordinator: \(header)")\n\(lines)\n"
      try ExecutableFile.write(text, to: path, mode: mode)
      return path
    }
  }

  private let place: Place

  init() throws { place = try Place() }

  private func files(_ directory: String) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinator-scripts"), "files", "--system", "--flows", directory], environment: ["LC_ALL": "C.UTF-8"])
  }

  @Test(
    "Root serves only files that name root, that root owns, and that nobody else can write or exchange, and executes no other")
  func onlyTrustedFilesAreServed() async throws {
    try place.write("flows/good", "title=Good; user=root")
    try place.write("flows/nameless", "title=Nameless")
    try place.write("flows/nobodys", "title=Nobody's; user=nobody")
    try place.write("flows/misspelt", "titel=Misspelt; user=root")
    // It would describe itself, and is not executed to do so.
    try place.write("flows/silent", "", "touch \(place.path)/executed")
    try place.write("flows/writable", "title=Writable; user=root", mode: 0o775)
    chown(try place.write("flows/foreign", "title=Foreign; user=root"), OtherUser.number, OtherUser.number)
    symlink(try place.write("elsewhere", "title=Elsewhere; user=root"), "\(place.flows)/linked")
    let report = try await files(place.flows)
    #expect(report.status == .exited(1))
    #expect(
      report.lines.sorted()
        == [
          "foreign: belongs to another user, and is ignored", "good: good",
          "linked: runs as root, and is ignored: it is a symbolic link",
          """
          misspelt: line 2: there is no titel: title, summary, version, rehearsable, input, result and user are known
          """,
          "nameless: does not run as root: its header does not say user=root", "nobodys: is to run as nobody",
          "silent: does not run as root: its header does not say user=root",
          "writable: can be written by others, and is ignored; chmod go-w would help",
        ].map { "\(place.flows)/\($0)" })
    #expect(!FileManager.default.fileExists(atPath: "\(place.path)/executed"))
  }

  @Test("A directory above the file that others can write, own or lead elsewhere makes the file untrusted")
  func directoriesAreChecked() async throws {
    try place.write("flows/good", "title=Good; user=root")
    symlink(place.flows, "\(place.path)/link")
    #expect(try await files("\(place.path)/link").output.contains("\(place.path)/link leads elsewhere"))
    let roundabout = "\(place.path)/../\(place.path.split(separator: "/").last ?? "")/flows"
    #expect(try await files(roundabout).output.contains("leads elsewhere"))
    chmod(place.path, 0o775)
    #expect(try await files(place.flows).output.contains("others than root can write to \(place.path); chmod go-w"))
    chmod(place.path, 0o755)
    chown(place.path, OtherUser.number, OtherUser.number)
    #expect(try await files(place.flows).output.contains("\(place.path) does not belong to root"))
    chown(place.path, 0, 0)
    #expect(try await files(place.flows).status == .exited(0))
  }

  /// A system bus with the policies that ship, the daemon, and the program that serves scripts of root.
  private func serve(_ configuration: String, runtime: [String: String]? = nil) async throws -> (
    daemon: RunningDaemon, engine: Program
  ) {
    func policy(_ name: String) throws -> String {
      try String(contentsOfFile: Built.checkedOut("Packaging/dbus-1/system.d/\(name).conf"), encoding: .utf8)
        .replacing(#"group="coordinatord""#, with: #"group="\#(OtherUser.group)""#)
    }
    try policy(Contract.scriptsOfRootName).write(toFile: "\(place.path)/root.conf", atomically: true, encoding: .utf8)
    try policy(Contract.busName).replacing("</busconfig>", with: "<include>\(place.path)/root.conf</include></busconfig>")
      .write(toFile: "\(place.path)/policy.conf", atomically: true, encoding: .utf8)
    let bus = try PrivateBus(configuration: BusConfiguration.system(including: "\(place.path)/policy.conf"))
    try FileManager.default.createDirectory(atPath: "\(place.path)/providers", withIntermediateDirectories: true)
    try "[Provider]\nBusName=\(Contract.scriptsOfRootName)\n[Flow make]\nTitle=Make\n".write(
      toFile: "\(place.path)/providers/root.conf", atomically: true, encoding: .utf8)
    try configuration.write(toFile: "\(place.path)/c.conf", atomically: true, encoding: .utf8)
    let daemon = try await RunningDaemon.start(
      on: bus,
      ["--system", "--group", OtherUser.group, "--config", "\(place.path)/c.conf", "--providers", "\(place.path)/providers"])
    return (daemon, try engine(of: daemon, runtime ?? ["RUNTIME_DIRECTORY": place.path]))
  }

  private func engine(of daemon: RunningDaemon, _ runtime: [String: String]) throws -> Program {
    try Program(
      [Built.executable("coordinator-scripts"), "--system", "--flows", place.flows],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": daemon.bus.address, "PATH": "/usr/bin:/bin"].merging(runtime) { $1 })
  }

  private func member(_ daemon: RunningDaemon, _ arguments: String...) async throws -> ProgramReport {
    try await OtherUser.member.call(
      daemon.bus, [Contract.busName, Contract.rootPath.string, Contract.managerInterface] + arguments)
  }

  private func waitForProvider(_ client: DaemonClient) async throws {
    try await poll {
      try await client.manager.listProviders().contains { $0.name == Contract.scriptsOfRootName && $0.state == "running" }
    }
  }

  @Test("A script runs as root with nothing of its caller's environment; only root may use it until a rule names others")
  func memberNeedsARule() async throws {
    try place.write(
      "flows/make", "title=Make; user=root; input=what",
      """
      ask menu size "How large?" small=Small
      ask step make -- sh -c 'id -u; env; printf "%s\\n" "$COORDINATOR_INPUT"' >\(place.path)/notes
      ask message done Done
      ask finish
      """)
    let (daemon, engine) = try await serve("")
    let root = try await daemon.client()
    try await waitForProvider(root)
    let start = ["StartFlow", "sa{sv}a{sv}", "make", "1", "what", "s", "$(touch \(place.path)/executed)", "0"]
    func startAsMember() async throws -> ProgramReport {
      try await OtherUser.member.call(
        daemon.bus, [Contract.busName, Contract.rootPath.string, Contract.managerInterface] + start)
    }
    #expect(try await startAsMember().errors.contains("Access denied"))
    #expect(try await !member(daemon, "ListFlows").output.contains(#""make""#))
    let own = try await root.manager.startFlow("make", input: ["what": "mine"])
    let delegate = [
      Contract.busName, own.coordinator.string, Contract.coordinatorInterface, "Delegate", "tsa{sv}a{sv}", "1", "small", "0", "0",
    ]
    #expect(try await OtherUser.member.call(daemon.bus, delegate).errors.contains("Access denied"))
    try "[Flow make]\nGroups=\(OtherUser.group)\n".write(toFile: "\(place.path)/c.conf", atomically: true, encoding: .utf8)
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded")
    let started = try await startAsMember()
    #expect(started.status == .exited(0), "\(started)")
    let path = started.output.split(separator: "\"").map(String.init)[1]
    try await poll { try await root.manager.listActive().contains { $0.coordinator.string == path } }
    try await poll {
      try await OtherUser.member.call(daemon.bus, [Contract.busName, path] + delegate.dropFirst(2)).status == .exited(0)
    }
    try await poll { place.notes.contains("COORDINATOR_INPUT") && place.notes.hasPrefix("0\n") }
    // What the caller has passed stays text, and is the only thing of the caller that arrives.
    #expect(place.notes.contains("COORDINATOR_INPUT={\"what\":\"$(touch"), "\(place.notes)")
    #expect(!FileManager.default.fileExists(atPath: "\(place.path)/executed"))
    #expect(await daemon.stop().status == .exited(0))
    withExtendedLifetime(engine) {}
  }

  @Test("A file that is no longer trusted is not executed, and a script of root has no command that undoes a step")
  func fileIsCheckedAtEachStart() async throws {
    try place.write(
      "flows/make", "title=Make; user=root", "ask menu size Size small=Small\nask step make --undo touch it -- true")
    let (daemon, engine) = try await serve("")
    let root = try await daemon.client()
    try await waitForProvider(root)
    let flow = try await Flow.start("make", root)
    try await flow.shows("size")
    let screen = try await flow.top()
    await #expect(throws: ClientError.self) { _ = try await flow.coordinator.delegate(screen: screen, event: "small") }
    try await poll { engine.errors.contains("a script of root has no command that undoes a step") }
    chmod("\(place.flows)/make", 0o777)
    let error = await #expect(throws: ClientError.self) { try await root.manager.startFlow("make") }
    #expect("\(error.map { "\($0)" } ?? "")".contains("can be written by others"), "\(String(describing: error))")
    try await poll { engine.errors.contains("\(place.flows)/make: can be written by others") }
  }

  @Test("Root keeps nothing in the runtime directory of another user, which su and sudo may leave in its environment")
  func runtimeDirectoryIsRoots() async throws {
    try place.write("flows/make", "title=Make; user=root")
    let foreign = "\(place.path)/foreign"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    chown(foreign, OtherUser.number, OtherUser.number)
    let (daemon, engine) = try await serve("", runtime: ["XDG_RUNTIME_DIR": foreign])
    let root = try await daemon.client()
    try await waitForProvider(root)
    let flow = try await Flow.start("make", root)
    try await flow.shows("hello")
    #expect(try FileManager.default.contentsOfDirectory(atPath: foreign) == [])
    withExtendedLifetime(engine) {}
  }

  @Test("The flow stays closed when no provider file names it any more, and to whoever calls while its program starts")
  func flowStaysClosed() async throws {
    try place.write("flows/make", "title=Make; user=root", "ask menu size Size small=Small")
    let (daemon, engine) = try await serve("")
    let root = try await daemon.client()
    try await waitForProvider(root)
    _ = try await Flow.start("make", root)
    _ = try await Flow.start("make", root, options: Options(token: "over")).coordinator.dismiss()
    try FileManager.default.removeItem(atPath: "\(place.path)/providers/root.conf")
    daemon.program.signal(SIGHUP)
    try await poll { try await root.manager.listProviders().allSatisfy { $0.name != Contract.scriptsOfRootName } }
    #expect(try await !member(daemon, "ListActive").output.contains("make_1"))
    #expect(await daemon.stop().status == .exited(0))
    let next = try await RunningDaemon.start(on: daemon.bus, ["--system", "--group", OtherUser.group])
    let client = try await next.client()
    try await poll { try await client.manager.listActive().count == 1 }
    #expect(try await !member(next, "ListActive").output.contains("make_1"))
    // Nothing of a flow that has ended is restored, nor served.
    #expect(try await client.manager.listEnded().map(\.token) == ["over"])
    #expect(try await !member(next, "ListEnded").output.contains("over"))
    let over = try Contract.flowPath(root: "over").string
    for call in [["GetOutcome", "o", over], ["GetEnding", "o", over], ["Forget", "s", "over"]] {
      let report = try await OtherUser.member.call(
        next.bus, [Contract.busName, Contract.rootPath.string, Contract.managerInterface] + call)
      #expect(report.errors.contains("Access denied"), "\(report)")
    }
    withExtendedLifetime(engine) {}
  }
}
