import CoordinatorKit
import DBus

/// The networks that NetworkManager knows. Its interfaces are described in its D-Bus API reference.
struct NetworkManager: Networks {
  static let name = "org.freedesktop.NetworkManager"
  let bus: SystemBus

  func reachable() async throws -> [Network] {
    var found: [String: Network] = [:]
    for device in try await devices() {
      for network in device.isWired ? [device.wired] : try await accessPoints(of: device).map(\.network) {
        found[network.name] = [network, found[network.name] ?? network].max { $0.strength < $1.strength }
      }
    }
    return found.values.sorted { ($0.strength, $1.name) > ($1.strength, $0.name) }
  }

  func isJoined(_ plan: NetworkPlan) async throws -> Bool {
    for path in try await object("/org/freedesktop/NetworkManager").property("ActiveConnections").paths {
      let active = try await object(path, "Connection.Active")
      let isPlanned = (try? await active.property("Uuid"))?.string == plan.id
      if isPlanned, try await isUp(active) { return true }
    }
    // A failed attempt from before a restart.
    if let left = try await profile(of: plan) { _ = try await left.call("Delete") }
    return false
  }

  func join(_ plan: NetworkPlan, passphrase: Secret?) async throws {
    let refused = Problem(Text("{network} does not let this machine in.", ["network": plan.network.name]))
    guard let device = try await device(for: plan.network) else { throw refused }
    let point = device.isWired ? nil : try await accessPoints(of: device).first { $0.network.name == plan.network.name }?.path
    let answer = try await object("/org/freedesktop/NetworkManager").call(
      "AddAndActivateConnection",
      [plan.settings(passphrase: passphrase), .objectPath(device.path), .objectPath(point ?? .root)])
    guard let path = answer.last?.objectPath else { throw refused }
    guard try await isUp(try await object(path, "Connection.Active")) else {
      _ = try await profile(of: plan)?.call("Delete")
      throw refused
    }
  }

  /// Waits until a connection is up or has failed, for a minute at most.
  private func isUp(_ active: Proxy) async throws -> Bool {
    for _ in 0..<240 {
      switch (try? await active.property("State"))?.integer {
      case 0, 1: try await Task.sleep(for: .milliseconds(250))
      case 2: return true
      default: return false
      }
    }
    return false
  }

  private func profile(of plan: NetworkPlan) async throws -> Proxy? {
    let settings = try await object("/org/freedesktop/NetworkManager/Settings", "Settings")
    guard let path = try? await settings.call("GetConnectionByUuid", [.string(plan.id)]).first?.objectPath else { return nil }
    return try await object(path, "Settings.Connection")
  }

  func object(_ path: ObjectPath, _ interface: String? = nil) async throws -> Proxy {
    try await bus.proxy(Self.name, path, interface.map { "\(Self.name).\($0)" })
  }
}

extension Value {
  /// The elements of an array of object paths.
  var paths: [ObjectPath] { elements?.compactMap(\.objectPath) ?? [] }
}
