import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl wait`: waits until a flow tree shows a screen, or ends.
public struct WaitForTree: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Waits, then prints the top screen, or how the flow ended.
  ///
  /// - Parameters:
  ///   - tree: flow tree, which may have ended; nil for the only active one.
  ///   - condition: condition to wait for.
  ///   - isStart: whether the tree may not have been started yet.
  ///   - limit: maximum time to wait, in microseconds; nil for no limit.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ tree: String?, until condition: WaitCondition, orStart isStart: Bool, limit: UInt64?
  ) async throws(ToolFailure) -> ToolExit {
    let deadline = limit.map { ContinuousClock.now + .microseconds(Int64(clamping: $0)) }
    let root: ObjectPath
    if isStart, let tree {
      root = try await TreeStart(session).run(tree, deadline: deadline)
    } else {
      root = try await session.knownRoot(tree)
    }
    return try WaitReport(session).print(
      try await TreeWait(session, root: root).run(until: condition, deadline: deadline), condition)
  }

  /// Waits for each of the flow trees that run now, and prints the result of each as soon as it is known.
  ///
  /// - Parameters:
  ///   - condition: condition to wait for.
  ///   - limit: maximum time to wait, in microseconds; nil for no limit.
  ///   - complain: closure that writes the failure of one of the waits.
  /// - Returns: the first exit code other than success, in the order in which the trees were started.
  /// - Throws: ``ToolFailure`` if the daemon cannot be reached.
  public func all(
    until condition: WaitCondition, limit: UInt64?, complain: (String) -> Void
  ) async throws(ToolFailure) -> ToolExit {
    let deadline = limit.map { ContinuousClock.now + .microseconds(Int64(clamping: $0)) }
    let roots = try await session.doing { () async throws(ClientError) in
      try await session.daemon.manager.listActive().sorted { $0.startedAt < $1.startedAt }.map(\.coordinator)
    }
    let (ends, continuation) = AsyncStream.makeStream(of: (ObjectPath, Result<WaitCondition.Verdict, ToolFailure>).self)
    let tasks = roots.map { root in
      Task {
        do throws(ToolFailure) {
          continuation.yield((root, .success(try await TreeWait(session, root: root).run(until: condition, deadline: deadline))))
        } catch {
          continuation.yield((root, .failure(error)))
        }
      }
    }
    defer { for task in tasks { task.cancel() } }
    var exits: [ObjectPath: ToolExit] = [:]
    if roots.isEmpty { continuation.finish() }
    for await (root, result) in ends {
      do throws(ToolFailure) {
        exits[root] = try WaitReport(session).print(try result.get(), condition, of: root)
      } catch {
        let lines = ["\(TreeSelector.name(root).printable): \(error.lines.first ?? "")"] + error.lines.dropFirst()
        complain("coordinatorctl: \(lines.joined(separator: "\n"))\n")
        exits[root] = error.cause
      }
      if exits.count == roots.count { break }
    }
    return roots.compactMap { exits[$0] }.first { $0 != .success } ?? .success
  }
}

/// The output at the end of a wait.
struct WaitReport: Sendable {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Prints the verdict that has ended a wait.
  ///
  /// - Parameters:
  ///   - verdict: verdict that has ended the wait.
  ///   - condition: condition of the wait.
  ///   - revision: revision of the call that preceded the wait; nil if there was none.
  ///   - root: root of the tree, whose name is printed if several are waited for; nil for none.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure`` if the condition can no longer hold.
  func print(
    _ verdict: WaitCondition.Verdict, _ condition: WaitCondition, after revision: UInt64? = nil, of root: ObjectPath? = nil
  ) throws(ToolFailure) -> ToolExit {
    let name = root.map(TreeSelector.name)
    func say(_ lines: [String], _ json: JSONValue) {
      session.output.say(
        lines.map { line in name.map { "\($0.printable): \(line)" } ?? line },
        json: name.map { json.adding("tree", .string($0)) } ?? json)
    }
    func json(_ window: MirroredWindow) -> JSONValue {
      guard let revision else { return JSONValue(window) }
      return ["revision": JSONValue(count: revision), "window": JSONValue(window)]
    }
    switch verdict {
    case .shown(let window):
      say(
        window.top.map { [ScreenReport.summary(of: $0, session.output.style)] } ?? ScreenReport.nothing(in: window), json(window))
      return .success
    case .ended(let end):
      say(
        condition.isEnd ? end.resultLines : end.lines,
        revision.map { JSONValue(end).adding("revision", JSONValue(count: $0)) } ?? JSONValue(end))
      return end.exitCode
    case .missed(let end):
      throw ToolFailure(["the flow has ended (\(end.name)) before it \(condition.clause.inThePast)"], cause: .stale)
    case .held(let window): throw ToolFailure(.refused(.held(message: window.held ?? "")))
    }
  }
}

extension String {
  /// The clause of a condition that a flow can no longer meet, in the past tense.
  fileprivate var inThePast: String { bytes.replacing("shows ", with: "showed ").bytes.replacing("can be", with: "could be") }
}

/// Follows a flow tree until a condition holds.
struct TreeWait: Sendable {
  private let session: ToolSession
  private let root: ObjectPath

  /// Creates a wait for the tree with a root coordinator, which may have ended.
  init(_ session: ToolSession, root: ObjectPath) {
    self.session = session
    self.root = root
  }

  /// Waits for a condition. Meanwhile this process counts as a renderer that only observes.
  ///
  /// - Parameters:
  ///   - condition: condition to wait for.
  ///   - end: deadline; nil for none.
  /// - Returns: the verdict that has ended the wait.
  /// - Throws: ``ToolFailure``, with a separate exit code if the deadline has passed.
  func run(
    until condition: WaitCondition, deadline end: ContinuousClock.Instant? = nil
  ) async throws(ToolFailure) -> WaitCondition.Verdict {
    let (verdict, last) = try await session.doing { () async throws(ClientError) in try await follow(condition, end) }
    if let verdict { return verdict }
    let shown = last.map { ", and shows '\($0.screen.name.printable)'" + ($0.screen.progress == nil ? "" : ", which is busy") }
    throw ToolFailure(
      ["timed out before '\(TreeSelector.name(root).printable)' \(condition.clause)", "  it is still running" + (shown ?? "")],
      cause: .timedOut)
  }

  private func follow(
    _ condition: WaitCondition, _ end: ContinuousClock.Instant?
  ) async throws(ClientError) -> (WaitCondition.Verdict?, last: PresentedScreen?) {
    // Every window counts, because the expected one may be on top only briefly.
    let mirror = try await WindowMirror.attach(to: root, of: session.daemon, kind: "watch", isComplete: true)
    let timer = Task {
      guard let end, (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
      await mirror.close()
    }
    defer { timer.cancel() }
    var last: PresentedScreen?
    for try await event in mirror.events {
      if case .window(let window) = event { last = window.top }
      guard let verdict = condition.verdict(on: event) else { continue }
      await mirror.close()
      return (verdict, last)
    }
    return (nil, last)
  }
}

/// The condition that `coordinatorctl wait` waits for. A value that decides, without I/O.
public struct WaitCondition: Sendable, Hashable {
  /// The meaning of a window or an end for the wait.
  public enum Verdict: Sendable, Hashable {
    /// The flow shows a screen that meets the condition.
    case shown(MirroredWindow)
    /// The flow has ended. This was the condition, or ends the wait as well.
    case ended(FlowEnd)
    /// The flow has ended, and can no longer meet the condition.
    case missed(FlowEnd)
    /// The flow is held: nothing happens until its problem is fixed.
    case held(MirroredWindow)
  }

  /// The names of screens, one of which must be on top; empty for any.
  public var screens: [String]
  /// Whether the screen on top must not be busy.
  public var isIdle: Bool
  /// Whether only the end of the flow ends the wait.
  public var isEnd: Bool
  /// The lowest revision that counts: windows of earlier revisions are ignored.
  public var revision: UInt64

  /// Creates a condition. Without arguments, it requires a screen on top that is not busy, so that a user must answer.
  public init(screens: [String] = [], isIdle: Bool = false, isEnd: Bool = false, revision: UInt64 = 0) {
    self.screens = screens
    self.isIdle = isIdle || screens.isEmpty
    self.isEnd = isEnd
    self.revision = revision
  }

  /// Returns the meaning of an event; nil to continue waiting.
  public func verdict(on event: WindowEvent) -> Verdict? {
    switch event {
    case .window(let window): verdict(on: window)
    case .ended(let end): screens.isEmpty || isEnd ? .ended(end) : .missed(end)
    default: nil
    }
  }

  private func verdict(on window: MirroredWindow) -> Verdict? {
    if window.held != nil { return .held(window) }
    guard !isEnd, window.revision >= revision, let top = window.top?.screen else { return nil }
    guard screens.isEmpty || screens.contains(where: { $0.bytes.equals(top.name) }) else { return nil }
    return isIdle && top.progress != nil ? nil : .shown(window)
  }

  /// The condition as a clause for messages: `'pets_1' …`.
  public var clause: String {
    if isEnd { return "has ended" }
    let idle = isIdle ? "can be answered" : nil
    let shown = screens.isEmpty ? nil : "shows " + screens.map { "'\($0.printable)'" }.joined(separator: " or ")
    return [shown, idle].compactMap(\.self).joined(separator: " and ")
  }
}

/// Waits until a flow tree with a name has been started, or has already ended.
struct TreeStart: Sendable {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Waits for the start. Also waits for a daemon that is not running yet, without starting it.
  ///
  /// - Parameters:
  ///   - name: name of the tree's root, which may be its future token.
  ///   - end: deadline; nil for none.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure``, with a separate exit code if the deadline has passed.
  func run(_ name: String, deadline end: ContinuousClock.Instant?) async throws(ToolFailure) -> ObjectPath {
    guard let path = try? Contract.flowPath(root: name) else {
      throw ToolFailure(["'\(name.printable)' cannot be the name of a flow tree"], exit: .usage)
    }
    let found = try await session.doing { () async throws(ClientError) in try await find(path, end) }
    guard found else { throw ToolFailure(["timed out before '\(name.printable)' was started"], cause: .timedOut) }
    return path
  }

  private func find(_ path: ObjectPath, _ end: ContinuousClock.Instant?) async throws(ClientError) -> Bool {
    let (news, continuation) = AsyncStream.makeStream(of: Bool.self)
    var tasks = [
      Task {
        guard let end, (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
        continuation.yield(false)
      }
    ]
    defer { for task in tasks { task.cancel() } }
    for rule in [
      MatchRule(path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowStarted"),
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]),
    ] {
      let signals: SignalSequence
      do {
        signals = try await session.daemon.connection.signals(matching: rule)
      } catch {
        throw ClientError(error)
      }
      tasks.append(
        Task {
          for await _ in signals { continuation.yield(true) }
          continuation.finish()
        })
    }
    if try await isKnown(path) { return true }
    for await mayBeThere in news {
      guard mayBeThere else { return false }
      if try await isKnown(path) { return true }
    }
    throw .connection(.disconnected)
  }

  /// Returns whether the daemon knows a root coordinator, without starting a daemon.
  private func isKnown(_ path: ObjectPath) async throws(ClientError) -> Bool {
    do {
      guard try await session.daemon.process() != nil else { return false }
      _ = try await session.daemon.manager.outcome(of: path)
      return true
    } catch {
      guard error.isUnknownObject || error.leavesUnanswered else { throw error }
      return false
    }
  }
}
