import TestBus

/// What people would write a coordinator with instead. Each is a program that has the flow of the benchmarks, written as its library wants it.
enum Peer: CaseIterable {
  case gdbus
  case dbusFast
  case dasbus

  /// Where Python finds its libraries.
  private static let python = ".venv/bin/python"

  /// The language and the library, for people.
  var title: String {
    switch self {
    case .gdbus: "C on GDBus"
    case .dbusFast: "Python on dbus-fast"
    case .dasbus: "Python on dasbus"
    }
  }

  /// The program, on a bus.
  func subject(_ lab: Lab, _ bus: Bus) -> Subject {
    let name = "org.coordinatord.Peer1"
    let program =
      switch self {
      case .gdbus: [lab.program("gdbus-daemon")]
      case .dbusFast: [lab.file(Self.python), lab.file("Peers/dbus_fast_daemon.py")]
      case .dasbus: [lab.file(Self.python), lab.file("Peers/dasbus_daemon.py")]
      }
    return Subject(title: title, name: name, command: program + [bus.address, name])
  }

  /// Why it cannot run here; nil if it can.
  func obstacle(_ lab: Lab) async -> String? {
    let library: String
    switch self {
    case .gdbus: return nil  // built with this program
    case .dbusFast: library = "dbus_fast"
    case .dasbus: library = "dasbus.connection"
    }
    do {
      let report = try await Program.run([lab.file(Self.python), "-c", "import \(library)"])
      guard report.status != .exited(0) else { return nil }
      return report.errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? "\(report)"
    } catch {
      return "\(lab.file(Self.python)) cannot be started"
    }
  }
}
