import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import DBus
import Glibc
import Platform
import RendererKit

/// The location of the history that `coordinatorctl log` reads.
public enum HistoryPlace {
  /// Determines the state directory.
  ///
  /// Explicit arguments take precedence, then `STATE_DIRECTORY`. Otherwise the directory is that of the running daemon,
  /// so that the history of a different one is not read by mistake. If none is running, it is that of the name.
  ///
  /// - Parameters:
  ///   - stateDirectory: directory from the command line, if given.
  ///   - name: name of the daemon from the command line, if given.
  ///   - serving: running daemon, if any.
  ///   - environment: environment of this process.
  ///   - hasJournal: closure that returns whether a directory contains a journal.
  /// - Returns: the state directory.
  /// - Throws: ``ToolFailure`` if the directory cannot be determined.
  public static func directory(
    stateDirectory: String?, name: DaemonName?, serving: ServingDaemon?, environment: [String: String],
    hasJournal: (String) -> Bool
  ) throws(ToolFailure) -> String {
    if let stateDirectory { return stateDirectory }
    let standard = StateLocation.directory(name: name?.description ?? StateLocation.name, environment: environment)
    guard environment["STATE_DIRECTORY"] == nil, let serving else { return standard }
    let advice = "  give the state directory with --state-dir DIR, or the name of its daemon with --name NAME"
    let daemon = "\(serving.program.printable) (process \(serving.process))"
    if serving.keepsNothing { throw ToolFailure(["\(daemon) keeps no history: it runs with --ephemeral", advice]) }
    if let directory = serving.stateDirectory {
      guard directory.bytes.hasPrefix("/") else {
        throw ToolFailure([
          "\(daemon) runs with --state-dir \(directory.printable), and its working directory is unknown", advice,
        ])
      }
      return directory
    }
    guard name == nil, serving.program != StateLocation.name else { return standard }
    let own = StateLocation.directory(name: serving.program, environment: environment)
    guard hasJournal(own) else {
      throw ToolFailure(["the running daemon is \(daemon), but there is no journal in \(own.printable)", advice])
    }
    return own
  }
}

/// The daemon that serves a bus. Limited to the public information about its process, because the daemon's memory and files are
/// private.
public struct ServingDaemon: Sendable, Hashable {
  /// The process id.
  public var process: UInt32
  /// The command line, starting with the program. Must not be empty.
  public var arguments: [String]

  /// Creates a daemon with the given command line.
  public init(process: UInt32, arguments: [String]) {
    self.process = process
    self.arguments = arguments
  }

  /// Finds this user's daemon on a bus. The result is nil if there is none, if it runs as another user, or if there is
  /// no bus.
  public static func find(on bus: BusAddress) async -> ServingDaemon? {
    guard let client = try? await DaemonClient.connect(to: bus) else { return nil }
    let process = try? await client.process()
    await client.close()
    return process.flatMap(ServingDaemon.init)
  }

  /// Reads the command line of a daemon's process; nil if it runs as another user.
  init?(_ process: DaemonProcess) {
    guard process.user == getuid(),
      let text = FileContent.read("/proc/\(process.number)/cmdline")
    else { return nil }
    let arguments = text.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    guard !arguments.isEmpty else { return nil }
    self.init(process: process.number, arguments: arguments)
  }

  /// The file name of the program.
  var program: String { arguments[0].bytes.split(separator: "/").last.map(String.init) ?? arguments[0] }

  /// The state directory on the command line, if any.
  var stateDirectory: String? { value(of: "--state-dir") }

  /// Returns the value of an option on the command line, if it is there; the last one takes precedence.
  private func value(of option: String) -> String? {
    for (index, argument) in arguments.enumerated().dropFirst().reversed() {
      if let value = argument.bytes.dropping(prefix: option + "=") { return String(value) }
      if argument == option, arguments.indices.contains(index + 1) { return arguments[index + 1] }
    }
    return nil
  }

  /// Whether the command line contains `--ephemeral`.
  var keepsNothing: Bool { arguments.contains("--ephemeral") }
}
