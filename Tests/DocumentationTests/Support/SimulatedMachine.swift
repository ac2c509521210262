import CoordinatorKit
import Platform

/// A machine that records its setup, and whose only secured network has the passphrase `open-sesame`.
final class SimulatedMachine: Machine {
  struct KeptOut: Error {}

  private struct State {
    var networks = [
      WirelessNetwork(name: "Home", isSecured: true, strength: 80),
      WirelessNetwork(name: "Guests", isSecured: false, strength: 40),
    ]
    var scans = 0
    var done: [String] = []
  }
  private let state = Lock(State())

  let timeZones = ["Africa/Abidjan", "Europe/Berlin", "Pacific/Apia", "UTC"].map(TimeZoneName.init)

  /// The number of times that it looked for networks.
  var scans: Int { state.withLock(\.scans) }

  /// The changes to the machine, in order.
  var done: [String] { state.withLock(\.done) }

  /// Puts other networks within reach.
  func bringIntoReach(_ networks: [WirelessNetwork]) { state.withLock { $0.networks = networks } }

  func networks() -> [WirelessNetwork] {
    state.withLock { state in
      state.scans += 1
      return state.networks
    }
  }

  func join(_ network: WirelessNetwork, passphrase: Secret?) throws {
    guard !network.isSecured || passphrase?.matches(Secret("open-sesame")) == true else { throw KeptOut() }
    note("join \(network.name)")
  }

  func setTimeZone(_ name: String) { note("time zone \(name)") }

  func setHostName(_ name: String) { note("host name \(name)") }

  func add(_ user: Person, password: Secret) { note("user \(user.login) \(password.withString(\.self))") }

  private func note(_ text: String) { state.withLock { $0.done.append(text) } }
}
