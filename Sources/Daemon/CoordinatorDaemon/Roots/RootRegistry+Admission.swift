import DBus

extension RootRegistry {
  /// The decision on a request to start a flow.
  enum Admission {
    /// Start the flow under this name.
    case start(name: String)
    /// The flow is being started; reply when it has.
    case isStarting(name: String)
    /// The token's flow is live.
    case isLive(LiveRoot)
    /// The token's flow has not been restored yet; ask again when it has.
    case isRestoring(name: String)
    /// The token's flow is held.
    case isHeld(name: String)
    /// The token's flow has ended.
    case hasEnded(EndedRoot)
    /// Reply with this error.
    case refuse(DBusError)
  }
}

extension RootRegistry {
  /// A rough estimate of the size of the reply to `GetManagedObjects`, in bytes.
  var roughSize: Int { roughSize(hiding: []) }

  /// Returns ``roughSize`` without the trees of some flows.
  func roughSize(hiding hidden: Set<String>) -> Int {
    // 1,024 bytes for the manager and its properties; 256 for the property names and values of each coordinator and
    // each router.
    let shownLive = live.values.lazy.filter { !hidden.contains($0.request.flow) }
    let shownHeld = held.all.lazy.filter { !hidden.contains($0.flow) }
    return shownLive.reduce(1_024) { $0 + ($1.state.coordinators.count + 1) * 256 + $1.state.window.roughSize }
      + shownHeld.reduce(0) { $0 + ($1.paths.count + 1) * 256 }
  }
}
