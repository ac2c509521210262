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
