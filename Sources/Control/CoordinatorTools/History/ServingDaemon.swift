import CoordinatorClient
import DBus
import Foundation

/// The daemon that serves a bus, as far as everybody may know its process: the daemon keeps its memory and its files to itself.
public struct ServingDaemon: Sendable, Hashable {
  /// The number of its process.
  public var process: UInt32
  /// Its command line, the program first.
  public var arguments: [String]

  /// A daemon with that command line.
  public init(process: UInt32, arguments: [String]) {
    self.process = process
    self.arguments = arguments
  }

  /// The daemon of this user on a bus; nil if there is none, or no bus.
  public static func find(on bus: BusAddress) async -> ServingDaemon? {
    guard let client = try? await DaemonClient.connect(to: bus) else { return nil }
    let process = try? await client.process()
    await client.close()
    guard let process, process.user == getuid(),
      let text = FileManager.default.contents(atPath: "/proc/\(process.number)/cmdline")
    else { return nil }
    let arguments = text.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    return arguments.isEmpty ? nil : ServingDaemon(process: process.number, arguments: arguments)
  }

  /// What the program is called.
  var program: String { arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0] }

  /// Where the command line says that its state is.
  var stateDirectory: String? {
    let option = "--state-dir"
    for (index, argument) in arguments.enumerated().dropFirst().reversed() {
      if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
      if argument == option, arguments.indices.contains(index + 1) { return arguments[index + 1] }
    }
    return nil
  }

  /// Whether the command line says that it keeps nothing.
  var keepsNothing: Bool { arguments.contains("--ephemeral") }
}
