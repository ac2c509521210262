import Glibc
import Platform

/// The daemon that this process implements or calls.
extension DaemonName {
  private static let choice = Lock<DaemonName?>(nil)

  /// Chooses the daemon that this process implements or calls: ``Contract/busName`` and the paths are that daemon's. Child
  /// processes read the name from ``variable`` and use the same daemon.
  ///
  /// Call it only in `main`, before the first use of ``Contract`` and before other threads read the environment.
  ///
  /// - Parameter name: the daemon.
  public static func choose(_ name: DaemonName) {
    choice.withLock { $0 = name }
    setenv(variable, name.description, 1)
  }

  /// Chooses the daemon that an option names; without the option, a daemon chosen before, or else the environment's.
  ///
  /// Call it only in `main`: see ``choose(_:)``.
  ///
  /// - Parameter option: the value of the option; nil if the command line has none.
  /// - Throws: ``InvalidDaemonName/environment(_:)`` if the environment decides and does not name a daemon.
  public static func choose(orOfEnvironment option: DaemonName?) throws(InvalidDaemonName) {
    if let option { choose(option) } else { _ = try chosen() }
  }

  /// Returns the chosen daemon; otherwise the one in the environment; otherwise the standard one.
  ///
  /// - Throws: ``InvalidDaemonName/environment(_:)`` if the environment does not name a daemon.
  public static func chosen() throws(InvalidDaemonName) -> DaemonName {
    if let chosen = choice.withLock({ $0 }) { return chosen }
    guard let text = Environment.value(of: variable), !text.isEmpty else { return .standard }
    do { return try DaemonName(text) } catch { throw .environment(text) }
  }

  /// The chosen daemon; nil if it is the standard one.
  public static var chosenUnlessStandard: DaemonName? { (try? chosen()).flatMap { $0 == .standard ? nil : $0 } }
}
