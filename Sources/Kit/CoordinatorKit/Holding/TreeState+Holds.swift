import Languages

/// Coordinators that are held: an event that no caller waits for could not be handled, and waits. Screens stay; what needs
/// a handler of a held coordinator is refused. A hold is not stored: after a restart, the event is tried again.
extension TreeState {
  /// Returns why a coordinator is held; nil if it is not.
  public func hold(of path: CoordinatorPath) -> String? { coordinators[path]?.hold?.reason }

  /// Why coordinators are held, by coordinator.
  package var reasonsOfHolds: [CoordinatorPath: String] {
    var reasons: [CoordinatorPath: String] = [:]
    for record in coordinators.values { reasons[record.path] = record.hold?.reason }
    return reasons
  }

  /// The coordinators that are held, in no particular order.
  public var holds: [CoordinatorPath] { coordinators.values.filter { $0.hold != nil }.map(\.path) }

  /// Holds a coordinator, or lets it go, which its screens say in a message.
  ///
  /// - Parameters:
  ///   - path: the coordinator; it must be alive.
  ///   - hold: why it is held; nil to let it go.
  /// - Returns: the screens that changed, bottom first.
  mutating func setHold(of path: CoordinatorPath, to hold: Hold?) -> [Publication.Updated] {
    coordinators[path]?.hold = hold
    var updates: [Publication.Updated] = []
    window.updateScreens(of: path) { screen in
      guard screen.isHeld != (hold != nil) else { return }
      screen.isHeld = hold != nil
      updates.append(Publication.Updated(screen: screen, keys: [.messages]))
    }
    return updates
  }
}

extension ScreenMessage {
  /// What the screens of a held coordinator say.
  static var held: ScreenMessage {
    .warning("held", "This step cannot continue at the moment. What was entered so far is kept.")
  }
}
