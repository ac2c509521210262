import ConfigurationFiles
import CoordinatorDaemon
import Logging

extension DaemonSetup {
  /// Reads the configuration again, as SIGHUP does, applies what can change while the daemon runs, and logs the result.
  /// Nothing that is under way is lost.
  ///
  /// - Parameter daemon: the daemon that ``makeDaemon(_:)`` returned.
  /// - Returns: the result of the reload.
  @discardableResult
  public func reload(_ daemon: Daemon) async -> Reload {
    let result = await daemon.reload { () -> (DaemonConfiguration?, Reload) in
      var reading = source.read()
      reading.configuration.refuseSections(notIn: daemon.catalogue, reading.daemon.providers)
      guard reading.configuration.problems.isEmpty else { return (nil, .refused(reading.configuration.problems)) }
      return (reading.daemon, adopt(reading.configuration))
    }
    tell(of: result)
    return result
  }

  private func adopt(_ configuration: Configuration) -> Reload {
    let changed = current.withLock { current in
      defer { current = configuration }
      return configuration.changes(from: current).filter(\.reloads).map(\.name)
    }
    threshold.level = configuration[DaemonKey.logLevel]
    let needRestart = configuration.changes(from: self.configuration).filter { !$0.reloads }.map(\.name)
    return .done(changed: changed, needRestart: needRestart)
  }

  private func tell(of result: Reload) {
    switch result {
    case .done(let changed, let needRestart):
      logger.notice("configuration reloaded", metadata: ["changed": "\(changed.joined(separator: " "))"])
      guard !needRestart.isEmpty else { return }
      logger.warning("some changes require a restart", metadata: ["keys": "\(needRestart.joined(separator: " "))"])
    case .refused(let problems):
      for problem in problems { logger.error("invalid configuration", metadata: ["problem": "\(problem)"]) }
      logger.error("configuration not reloaded; all settings stay as they were")
    }
  }
}
