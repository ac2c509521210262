import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Platform

/// Performs the work of the flow, and reports its end to the daemon. May be used from any thread.
final class Worker: Sendable {
  private struct State: Sendable {
    var running: [String: Task<Void, Never>] = [:]
    var results: [String: [Value]] = [:]
    var begun: Set<String> = []
  }

  private let connection: Connection
  private let mistake: Mistake?
  private let state = Lock(State())

  init(_ connection: Connection, _ mistake: Mistake?) { (self.connection, self.mistake) = (connection, mistake) }

  /// Begins work, unless it is running already.
  func perform(_ call: IncomingCall) {
    let (instance, id) = (call.arguments[1].string ?? "", call.arguments[2].string ?? "")
    let (key, secret) = (instance + id, call.arguments[5].vardict?["password"]?.string ?? "")
    if mistake == .printsSecret {
      print("signing in with \(secret)")
      fflush(nil)
    }
    let isRunning = state.withLock { $0.running[key] != nil }
    if isRunning, mistake == .refusesRunningWork { return call.fail(.failed("it runs")) }
    if !isRunning, mistake == .refusesSecondAttempt, call.arguments[3].integer ?? 1 > 1 { return call.fail(.failed("once only")) }
    // A walk through the flow would take too long if every Perform took that long.
    if mistake == .slowPerform, instance.contains("twice") {
      Task {
        try? await Task.sleep(for: .seconds(3))
        call.reply()
      }
    } else {
      call.reply()
    }
    let hasBegun = state.withLock { !$0.begun.insert(key).inserted }
    if hasBegun, mistake == .forgetsResults { return }
    if isRunning, mistake != .startsWorkTwice { return }
    let task = Task { await run(instance, id, key, secret) }
    state.withLock { $0.running[key] = task }
  }

  /// Stops work.
  func cancel(_ instance: String, _ id: String) {
    guard mistake != .ignoresCancel else { return }
    state.withLock { $0.running.removeValue(forKey: instance + id) }?.cancel()
  }

  /// Stops all work of an instance.
  func end(_ instance: String) {
    guard mistake != .ignoresCancel else { return }
    let tasks = state.withLock { state in
      let keys = state.running.keys.filter { $0.hasPrefix(instance) }
      return keys.compactMap { state.running.removeValue(forKey: $0) }
    }
    for task in tasks { task.cancel() }
  }

  private func run(_ instance: String, _ id: String, _ key: String, _ secret: String) async {
    if mistake == .neverEndsWork { return }
    let isLong = mistake == .ignoresCancel && instance.contains("cancelled")
    // The trial requests the work a second time while it runs, however busy the machine is.
    let length = mistake == .startsWorkTwice && instance.contains("twice") ? 800 : 40
    for _ in 0..<(isLong ? 90 : 1) {
      try? await Task.sleep(for: .milliseconds(length))
      if isLong { try? await Task.sleep(for: .milliseconds(60)) }
      guard !Task.isCancelled else { return }
      await tell("ReportWork", instance, id, ["fraction": .double(0.5)])
    }
    let value = mistake == .secretInResult ? "signed in with \(secret)" : "signed in"
    let result: [String: Value] = mistake == .resultWithoutValue ? ["answer": .string(value)] : ["value": .string(value)]
    let name = mistake == .endsForeignWork ? "another-1" : id
    // The result is sent again to a daemon that has left, or that could not store it.
    while await !tell("EndWork", instance, name, result), mistake != .sendsResultOnce, mistake != .forgetsResults {
      try? await Task.sleep(for: .milliseconds(100))
      guard !Task.isCancelled else { return }
    }
    state.withLock { _ = $0.running.removeValue(forKey: key) }
  }

  @discardableResult
  private func tell(_ member: String, _ instance: String, _ id: String, _ values: [String: Value]) async -> Bool {
    let call = MethodCall(
      destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: member,
      arguments: [.string(instance), .string(id), .vardict(values)], autoStart: false)
    return (try? await connection.call(call)) != nil
  }
}
