import Foundation
import TestBus

/// Which program is the bus.
enum Broker: String, CaseIterable, Sendable {
  case daemon = "dbus-daemon"
}

/// A bus of the run's own.
struct Bus: Sendable {
  private let bus: PrivateBus

  /// Starts a bus, which itself starts the daemons among `activations` when somebody calls them.
  init(_ lab: Lab, activations: [Subject] = []) throws {
    guard !activations.isEmpty else {
      bus = try PrivateBus()
      return
    }
    let directory = try lab.directory("services")
    for subject in activations {
      let service = "[D-BUS Service]\nName=\(subject.name)\nExec=\(subject.command.joined(separator: " "))\n"
      try service.write(toFile: "\(directory)/\(subject.name).service", atomically: false, encoding: .utf8)
    }
    bus = try PrivateBus(
      configuration: """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:dir=\(directory)</listen>
          <servicedir>\(directory)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_match_rules_per_connection">512</limit>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>
        """)
  }

  /// The D-Bus address.
  var address: String { bus.address }

  /// What the programs on this bus find in their environment.
  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address, "SWIFT_BACKTRACE": "enable=no"] }
}
