import CoordinatorKit

/// The machine that ``FirstBoot`` sets up. A daemon passes the real one, a test a simulated one.
protocol Machine: Sendable {
  /// The time zones that it knows.
  var timeZones: [TimeZoneName] { get }

  /// Returns the networks within reach, none if there is no radio.
  func networks() async -> [WirelessNetwork]

  /// Joins a network.
  ///
  /// - Parameters:
  ///   - network: the network.
  ///   - passphrase: the passphrase; nil for a network without one.
  /// - Throws: the reason why the network does not admit the machine.
  func join(_ network: WirelessNetwork, passphrase: Secret?) async throws

  /// Sets the time zone.
  func setTimeZone(_ name: String) async throws

  /// Sets the host name.
  func setHostName(_ name: String) async throws

  /// Adds a user.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - password: the password, which is valid until this returns.
  /// - Throws: the reason why the user cannot be added.
  func add(_ user: Person, password: Secret) async throws
}
