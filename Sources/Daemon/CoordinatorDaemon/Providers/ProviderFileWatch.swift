import CoordinatorKit
import DBus
import Logging
import Platform
import ProviderFiles

/// Reads the files that give flows to bus names, again whenever they change. Used only on the host's executor.
final class ProviderFileWatch {
  /// The watch on the directories with provider files; nil for none.
  private var watch: DirectoryWatch?
  /// The number of readings that have begun.
  private var begun: UInt64 = 0
  /// The number of the reading that was applied last.
  private var applied: UInt64 = 0
  private let settings: HostSettings
  private let directory: ProviderDirectory
  private let provider: BusProvider
  private let catalogue: FlowCatalogue
  private let connection: Connection
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a watch that has read nothing.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the directories.
  ///   - directory: follows the names in the files.
  init(of host: HostServices, settings: HostSettings, directory: ProviderDirectory) {
    (provider, catalogue, connection) = (host.provider, host.catalogue, host.connection)
    (logger, entry) = (host.logger, host.entry)
    (self.settings, self.directory) = (settings, directory)
  }

  /// A reading of the files that has begun. Run it on any thread.
  struct Reading: Sendable {
    fileprivate let number: UInt64
    fileprivate let places: ProviderPlaces
    fileprivate let catalogue: FlowCatalogue

    /// Reads the files.
    func files() async -> ProviderFiles {
      guard !places.directories.isEmpty else { return .none }
      return await Task(executorPreference: globalConcurrentExecutor) { [places, catalogue] in
        ProviderFiles.read(places, isBuiltIn: catalogue.isBuiltIn)
      }.value
    }
  }

  /// Begins to read the files.
  func begin() -> Reading {
    begun += 1
    return Reading(number: begun, places: settings.configuration.providers, catalogue: catalogue)
  }

  /// Applies the content of the files, unless a reading that began later has been applied.
  ///
  /// - Parameters:
  ///   - files: the content.
  ///   - reading: the reading that has returned it.
  func apply(_ files: ProviderFiles, _ reading: Reading) {
    guard reading.number > applied else { return }
    applied = reading.number
    report(files, since: provider.withTable { $0.files })
    directory.adopt(provider.withTable { $0.set(files) })
    directory.follow()
    directory.judgeOwners()
  }

  /// Watches the directories of the current configuration, and no others.
  func watchDirectories() {
    watch = nil
    let directories = settings.configuration.providers.directories
    guard !directories.isEmpty else { return }
    watch = DirectoryWatch(directories, on: connection.loop) { [entry] in
      Task { await entry.host?.readProviderFiles() }
    }
    if watch == nil {
      logger.warning("cannot watch the provider files: changes apply after a reload")
    }
  }

  /// Logs problems that were not there before.
  private func report(_ files: ProviderFiles, since before: ProviderFiles) {
    let known = Set(before.allProblems)
    for problem in files.allProblems where !known.contains(problem) {
      logger.error("invalid provider file", metadata: ["problem": "\(problem)"])
    }
    for (path, losses) in files.losses.sorted(by: { $0.key < $1.key }) {
      for loss in losses where before.losses[path]?.contains(loss) != true {
        logger.warning("a provider file does not get a flow", metadata: ["file": "\(path)", "reason": "\(loss.reason)"])
      }
    }
  }
}
