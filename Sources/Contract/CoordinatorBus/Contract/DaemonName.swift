import DBus
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
