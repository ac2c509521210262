import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorJournal
import DBus
import Glibc
import Platform

extension DaemonConfiguration {
  /// Creates a daemon's settings from a configuration.
  ///
  /// - Parameters:
  ///   - read: the configuration. Settings that contradict each other are added to its problems.
  ///   - program: the daemon's name.
  ///   - isSystem: whether the daemon serves on the system bus.
  init(_ read: inout Configuration, of program: String, isSystem: Bool) {
    let limits = DaemonLimits(read)
    self.init(
      bus: Self.bus(&read, isSystem: isSystem), group: Self.group(&read, isSystem: isSystem),
      access: FlowAccess(&read, isSystem: isSystem), limits: limits,
      journal: Self.journal(&read, of: program), handlerDeadline: read[DaemonKey.handlerDeadline],
      idleExit: read[DaemonKey.idleExit])
  }

  private static func bus(_ read: inout Configuration, isSystem: Bool) -> BusAddress {
    guard let address = read[DaemonKey.address] else { return isSystem ? .system : .session }
    if isSystem { read.refuse(DaemonKey.address, "cannot be combined with --system, which the daemon was started with") }
    return .address(address)
  }

  private static func group(_ read: inout Configuration, isSystem: Bool) -> UserGroup? {
    guard let name = read[DaemonKey.group] else { return nil }
    guard isSystem else {
      read.refuse(DaemonKey.group, "requires --system: on other buses, only the daemon's own user may call")
      return nil
    }
    do {
      return try UserGroup(named: name)
    } catch {
      read.refuse(DaemonKey.group, "\(error)")
      return nil
    }
  }

  private static func journal(_ read: inout Configuration, of program: String) -> JournalConfiguration? {
    let directory = read[DaemonKey.stateDirectory]
    if read[DaemonKey.ephemeral] {
      // A directory given at the same or a higher rank than Ephemeral=yes means that data should be stored there, which would
      // be lost.
      if directory != nil, read.origin(of: DaemonKey.stateDirectory).rank >= read.origin(of: DaemonKey.ephemeral).rank {
        read.refuse(DaemonKey.stateDirectory, "cannot be combined with Ephemeral=yes (\(read.origin(of: DaemonKey.ephemeral)))")
      }
      return nil
    }
    return JournalConfiguration(
      directory: directory ?? StateLocation.directory(name: program), sync: read[DaemonKey.sync],
      maxOutcomes: Int(read[DaemonKey.maxOutcomes]), maxHistory: Int(read[DaemonKey.maxHistory]))
  }
}

extension DaemonLimits {
  fileprivate init(_ read: Configuration) {
    self.init()
    maxFlows = read[DaemonKey.maxFlows]
    maxFlowsPerClient = read[DaemonKey.maxFlowsPerClient]
    maxDepth = read[DaemonKey.maxDepth]
    maxItems = read[DaemonKey.maxItems]
    maxPayload = read[DaemonKey.maxPayload]
    maxOutcomes = read[DaemonKey.maxOutcomes]
    maxCallsPerClient = read[DaemonKey.maxCallsPerClient]
    maxCalls = read[DaemonKey.maxCalls]
    maxCallBytesPerClient = read[DaemonKey.maxCallBytesPerClient]
    maxCallBytes = read[DaemonKey.maxCallBytes]
    maxInputBytesPerClient = read[DaemonKey.maxInputBytesPerClient]
    maxInputBytes = read[DaemonKey.maxInputBytes]
    maxRenderers = read[DaemonKey.maxRenderers]
    maxAttachments = read[DaemonKey.maxAttachments]
    maxRegisteredFlows = read[DaemonKey.maxRegisteredFlows]
    maxRegisteredBytes = read[DaemonKey.maxRegisteredBytes]
  }
}

/// An option takes its help and its values from the key that it overrides.
extension ConfigurationKey {
  /// The help text for `--help`.
  public var help: ArgumentHelp {
    ArgumentHelp(
      "\(entry.summary)" + (entry.defaultText.isEmpty ? "" : " (default: \(entry.defaultText))"), valueName: entry.valueName)
  }

  /// A closure that validates an option's value, for use as the `transform` of an option. It throws `ValidationError`.
  public var argument: @Sendable (String) throws -> String {
    { [entry] text in
      guard entry.isValid(text) else { throw ValidationError("expected \(entry.expected)") }
      return text
    }
  }
}

extension ConfigurationKey where Value: RawRepresentable<String> & CaseIterable {
  /// The accepted words, for shell completion.
  var words: [String] { Value.allCases.map(\.rawValue) }
}

extension ConfigurationKey where Value == String? {
  /// A closure that makes a path absolute, for use as the `transform` of an option. It throws `ValidationError`.
  ///
  /// On the command line, a path may be relative to the working directory; in a configuration file it must be absolute.
  public var path: @Sendable (String) throws -> String {
    { path in
      guard !path.isEmpty else { throw ValidationError("expected a path") }
      guard !path.bytes.hasPrefix("/") else { return path }
      guard let directory = getcwd(nil, 0) else {
        throw ValidationError("cannot determine the current directory; give a path that begins with /")
      }
      defer { free(directory) }
      return "\(String(cString: directory))/\(path)"
    }
  }
}
