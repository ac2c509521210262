import Glibc
import Platform

/// The daemon that this process is, or talks to.
extension DaemonName {
  private static let choice = Lock<DaemonName?>(nil)

  /// Chooses the daemon that this process is, or talks to: ``Contract/busName`` and the paths are that daemon's. Programs that
  /// this one starts talk to it, too, by ``variable``.
  ///
  /// Only for `main`, before the first use of ``Contract`` and before other threads read the environment.
  ///
  /// - Parameter name: the daemon.
  public static func choose(_ name: DaemonName) {
    choice.withLock { $0 = name }
    setenv(variable, name.description, 1)
  }

  /// Chooses the daemon that an option names; without one, the environment's stands, as does one that was chosen before.
  ///
  /// Only for `main`: see ``choose(_:)``.
  ///
  /// - Parameter option: the value of the option; nil if the command line has none.
  /// - Throws: ``InvalidDaemonName/environment(_:)`` if the environment, which then decides, names no daemon.
  public static func choose(orOfEnvironment option: DaemonName?) throws(InvalidDaemonName) {
    if let option { choose(option) } else { _ = try chosen() }
  }

  /// The daemon that was chosen; otherwise the one in the environment, or the one that ships.
  ///
  /// - Throws: ``InvalidDaemonName/environment(_:)`` if the environment names no daemon.
  public static func chosen() throws(InvalidDaemonName) -> DaemonName {
    if let chosen = choice.withLock({ $0 }) { return chosen }
    guard let text = Environment.value(of: variable), !text.isEmpty else { return .standard }
    do { return try DaemonName(text) } catch { throw .environment(text) }
  }

  /// The daemon that was chosen, unless it is the one that ships.
  public static var chosenUnlessStandard: DaemonName? { (try? chosen()).flatMap { $0 == .standard ? nil : $0 } }
}
