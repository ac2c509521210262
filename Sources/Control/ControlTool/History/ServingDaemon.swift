import CoordinatorClient
import DBus
import Glibc
import Platform

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

  /// The value of an option on the command line, if it is there; the last one takes precedence.
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
