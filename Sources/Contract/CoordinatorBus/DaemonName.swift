import DBus
import Glibc
import Platform

/// The name of a daemon. One bus may have several daemons, each with its own flows and state.
///
/// A name without a dot, such as `kiosk`, stands for the bus name `org.coordinatord.kiosk`; `coordinatord` stands for the bus
/// name of the daemon that ships. A name with dots is the bus name itself, so `org.coordinatord.kiosk` is `kiosk`. The path of
/// the objects has the same elements. The names of the interfaces do not depend on the daemon's name.
public struct DaemonName: Sendable, Hashable, CustomStringConvertible {
  /// The name in its shortest form, without the prefix that it stands for. It also names the daemon's directories.
  public let description: String
  /// The well-known name on the bus.
  public let busName: String
  /// The path of the object that has the Manager and ObjectManager interfaces.
  public let rootPath: ObjectPath

  /// The environment variable with the name of the daemon that tools use and that `coordinatord` serves as.
  public static let variable = "COORDINATORD_NAME"
  /// The daemon that ships with this package.
  public static let standard = DaemonName("coordinatord", "org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1")

  private static let prefix = "org.coordinatord."
  /// Words whose bus names are taken: by the program that serves scripts, and by the daemon itself, whose short form would give
  /// it a second directory.
  private static let taken: Set<String> = ["Scripts", "coordinatord"]

  private init(_ description: String, _ busName: String, _ rootPath: ObjectPath) {
    (self.description, self.busName, self.rootPath) = (description, busName, rootPath)
  }

  /// Reads a name.
  ///
  /// - Parameter text: the name, such as `kiosk` or `org.example.Kiosk`.
  /// - Throws: ``InvalidDaemonName/name(_:)`` if it is not the name of a daemon.
  public init(_ text: String) throws(InvalidDaemonName) {
    let busName = text.utf8.contains(UInt8(ascii: ".")) ? text : Self.prefix + text
    guard text != Self.standard.description, busName != Self.standard.busName else {
      self = Self.standard
      return
    }
    // A bus name has one daemon, and so one state, in either spelling.
    let word = busName.bytes.dropping(prefix: Self.prefix).map { String($0) } ?? busName
    let short = word.utf8.contains(UInt8(ascii: ".")) ? busName : word
    guard !Self.taken.contains(short), busName != "org.freedesktop.DBus", !short.bytes.hasPrefix("org.coordinatord.Scripts."),
      !short.bytes.hasSuffix(".Scripts")
    else { throw .name(text) }
    let elements = busName.bytes.split(separator: ".", omittingEmptySubsequences: false)
    let areValid = elements.allSatisfy { element in
      guard let first = element.utf8.first, !first.isASCIIDigit else { return false }
      return element.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
    // D-Bus limits names to 255 bytes.
    guard areValid, busName.utf8.count <= 255 else { throw .name(text) }
    let path = busName.bytes.replacing(".", with: "/").bytes.replacing("-", with: "_")
    guard let rootPath = try? ObjectPath("/\(path)") else { throw .name(text) }
    self.init(short, busName, rootPath)
  }

  /// The well-known name on the bus of the program that serves scripts to this daemon.
  package var scriptsName: String { self == .standard ? "\(Self.prefix)Scripts" : "\(busName).Scripts" }
}

extension DaemonName: ExpressibleByStringLiteral {
  /// Creates a name from a literal.
  ///
  /// - Precondition: the literal is the name of a daemon: it is part of the program, not input.
  public init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }
}

/// A text that is not the name of a daemon. Its description says what to use instead.
public enum InvalidDaemonName: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text came from a caller, such as an option of a command line.
  case name(String)
  /// The text is the value of ``DaemonName/variable`` in the environment.
  case environment(String)

  /// A message that says what is wrong and what to use instead.
  public var description: String {
    switch self {
    case .name(let text): "\(InvalidName(text, as: .busName)): use a name such as kiosk or org.example.Kiosk"
    case .environment(let text): "\(DaemonName.variable): \(Self.name(text))"
    }
  }
}

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
