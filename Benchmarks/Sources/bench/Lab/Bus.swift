import Foundation
import TestBus

/// A dedicated bus of a run.
struct Bus: Sendable {
  private enum Server {
    case daemon(PrivateBus)
    case broker(PrivateBroker)
  }

  private let server: Server

  /// Starts a bus, which itself starts the daemons among `activations` when a client calls them.
  init(_ lab: Lab, activations: [Subject] = []) async throws {
    let directory = try activations.isEmpty ? nil : lab.directory("services")
    var services: [String] = []
    for subject in activations {
      let service = "[D-BUS Service]\nName=\(subject.name)\nExec=\(subject.command.joined(separator: " "))\n"
      services.append("\(directory ?? "")/\(subject.name).service")
      try service.write(toFile: services.last ?? "", atomically: false, encoding: .utf8)
    }
    switch lab.broker {
    case .daemon: server = .daemon(try PrivateBus(configuration: directory.map(Self.configuration)))
    case .broker: server = .broker(try await PrivateBroker(lab, services: services))
    }
  }

  private static func configuration(services directory: String) -> String {
    """
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
    """
  }

  /// The D-Bus address.
  var address: String {
    switch server {
    case .daemon(let bus): bus.address
    case .broker(let bus): bus.address
    }
  }

  /// The environment of the programs on this bus.
  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address, "SWIFT_BACKTRACE": "enable=no"] }
}
