import Platform

/// The coordinators whose runs may have ended a process that others had too, and the processes that they have for themselves.
/// May be used from any thread.
final class RunSuspects: Sendable {
  /// The most processes for one run each. Further suspects share one with others for a while.
  private static let mostHosts = 16

  private static let mostInstances = 1_000

  private struct State: Sendable {
    var instances: Set<String> = []
    var hosts: [ScriptHost] = []
  }

  private let state = Lock(State())

  /// A run of an instance may have ended a process.
  func add(_ instance: String) {
    state.withLock { state in
      // Nothing is lost with them but time: they become suspects again.
      if state.instances.count >= Self.mostInstances { state.instances = [] }
      state.instances.insert(instance)
    }
  }

  /// A run of an instance has got further, or there will be no more.
  func remove(_ instance: String) { state.withLock { _ = $0.instances.remove(instance) } }

  /// Returns whether the next run of an instance is to have a process of its own.
  func needsHost(_ instance: String) -> Bool {
    state.withLock { state in
      guard state.instances.contains(instance) else { return false }
      state.hosts.removeAll { !$0.isAlive }
      return state.hosts.count < Self.mostHosts
    }
  }

  /// A suspect has got a process of its own.
  func keep(_ host: ScriptHost) { state.withLock { $0.hosts.append(host) } }

  /// The processes of suspects.
  func takeHosts() -> [ScriptHost] {
    state.withLock { state in
      defer { state.hosts = [] }
      return state.hosts
    }
  }
}
