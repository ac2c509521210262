import Foundation

/// A bus that starts programs, with directories for their service files and for provider files.
///
/// By default, a started program only announces itself on the bus, with the signal `Started` of the interface
/// `org.example.Service`: the test then takes the name itself, or does not.
public final class ActivatingBus: Sendable {
  /// The bus.
  public let bus: PrivateBus
  private let root: String
  /// The directory for provider files.
  public var providers: String { "\(root)/providers" }

  /// Starts the bus.
  ///
  /// - Parameters:
  ///   - services: the command that starts the program of a well-known name; nil for one that only announces itself.
  ///   - usesSystemd: whether the bus asks the owner of `org.freedesktop.systemd1` to start the programs instead.
  /// - Throws: `PrivateBus.StartFailed`, or the error of the file system.
  public init(_ services: [String: String?] = [:], usesSystemd: Bool = false) throws {
    root = FileManager.default.temporaryDirectory.path + "/activating-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: "\(root)/services", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(root)/providers", withIntermediateDirectories: true)
    try Self.write(
      """
      dbus-send --bus="$DBUS_STARTER_ADDRESS" --type=signal / org.example.Service.Started string:"$1"
      exec sleep 30
      """, "\(root)/started.sh")
    for (name, command) in services {
      try Self.write(
        "[D-BUS Service]\nName=\(name)\nExec=\(command ?? "/bin/sh \(root)/started.sh \(name)")\n"
          + (usesSystemd ? "SystemdService=\(name).service\n" : ""),
        "\(root)/services/\(name).service")
    }
    bus = try PrivateBus(
      configuration: """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
        <type>session</type>
        <listen>unix:tmpdir=/tmp</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(root)/services</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        </busconfig>
        """, arguments: usesSystemd ? ["--systemd-activation"] : [])
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private static func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Writes a file into the directory of provider files.
  public func write(_ text: String, to name: String) throws { try Self.write(text, "\(providers)/\(name)") }

  /// Writes a provider file with flows that have only a title.
  public func serve(_ flows: String..., by name: String, _ more: String = "", in file: String = "a.conf") throws {
    let sections = flows.map { "[Flow \($0)]\nTitle=\($0) of the file\n" }.joined()
    try write("[Provider]\nBusName=\(name)\n\(more)\n\(sections)", to: file)
  }

  /// Removes a file from the directory of provider files.
  public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(providers)/\(name)") }
}
