import ArgumentParser
import ConfigurationFiles
import CoordinatorBus
import DBus
import RendererKit
import Themes

/// The options that select the daemon's bus, for every tool that calls the daemon.
public struct BusOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  private var address: String?

  @Flag(help: "Use the system bus.")
  private var system = false

  @Option(
    help: ArgumentHelp(
      "Use the daemon of this name: kiosk stands for the bus name org.coordinatord.kiosk. (default: $COORDINATORD_NAME, or coordinatord)"
    ),
    transform: { try DaemonName($0) })
  private var name: DaemonName?

  /// Creates options that select the session bus.
  public init() {}

  /// The daemon that the command line names; nil if it names none.
  public var daemon: DaemonName? { name }

  /// The bus that the command line names; nil if it names none.
  public var given: BusAddress? {
    if let address { return .address(address) }
    return system ? .system : nil
  }

  /// The selected bus.
  public var chosen: BusAddress { given ?? .session }

  /// The arguments with which another tool selects the same bus.
  public var arguments: [String] {
    if let address { return ["--address", address] }
    return system ? ["--system"] : []
  }

  /// Rejects a command line that selects two buses, and selects the daemon for this process and its child processes.
  public func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    do { try DaemonName.choose(orOfEnvironment: name) } catch { throw ValidationError("\(error)") }
  }
}

/// The options for renderers in public places.
public struct KioskOptions: ParsableArguments {
  /// A time that is at least a second and at most a day.
  private struct Time: ExpressibleByArgument {
    let time: Duration

    init?(argument: String) {
      guard let time = ValueFormat<Duration>.time(from: .seconds(1)).value(of: argument), time <= .seconds(86_400) else {
        return nil
      }
      self.time = time
    }
  }

  @Flag(
    help: """
      Show one flow, with no way out but those that the flow offers; starts it again 30 s after its end, and takes up the tree \
      that an earlier start has left.
      """)
  private var kiosk = false

  @Option(
    help: ArgumentHelp("Start the flow again this long after its end, such as 30s.", valueName: "time"))
  private var restartAfter: Time?

  @Option(
    help: ArgumentHelp(
      "Cancel the flow and start it again after nobody has done anything for this long, such as 5min.", valueName: "time"))
  private var idleReset: Time?

  /// Creates options that leave the behavior of a renderer unchanged.
  public init() {}

  /// The resulting behavior of the renderer.
  public var policy: KioskPolicy {
    KioskPolicy(
      isLocked: kiosk, restartTime: restartAfter?.time ?? (kiosk ? KioskPolicy.usualRestartTime : nil), idleTime: idleReset?.time)
  }
}

/// The option that selects a theme.
public struct ThemeOptions: ParsableArguments {
  /// The file of the theme.
  @Option(
    name: .customLong("theme"),
    help: ArgumentHelp("Use the name, logo and colors in this file; see coordinatord.theme(5).", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  public var file: String?

  /// The problems of a theme file that the command line names.
  public struct Fault: Error {
    /// One line for each problem, with its file and its line.
    public let lines: [String]
  }

  /// Creates options without values.
  public init() {}

  /// Reads the theme. A file that the command line names must be valid. A mistake in a file that was found is reported, and the
  /// flow is shown in the standard look, because the mistake must not keep users from answering.
  ///
  /// - Parameters:
  ///   - environment: the environment variables of the process.
  ///   - complain: closure that writes lines for the user who started the program.
  /// - Returns: the theme.
  /// - Throws: ``Fault`` if the file that the command line names has problems.
  public func theme(environment: [String: String], complain: (String) -> Void) throws(Fault) -> Theme {
    let reading = file.map(Theme.read) ?? ThemePlaces.read(environment: environment)
    guard !reading.problems.isEmpty else { return reading.theme }
    let lines = reading.problems.map(\.description)
    guard file == nil else { throw Fault(lines: lines) }
    complain(lines.map { $0 + "\n" }.joined())
    return reading.theme
  }
}
