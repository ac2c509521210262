import CoordinatorKit
import DBus

/// A device that can join networks.
struct NetworkDevice {
  var path: ObjectPath
  var isWired: Bool
  var interface: String

  /// The network that its cable leads to.
  var wired: Network { Network(name: interface, isWired: true) }
}

/// An access point of a wireless network.
struct AccessPoint {
  var path: ObjectPath
  var network: Network
}

extension NetworkManager {
  /// Returns the wireless devices, and the wired ones with a cable.
  func devices() async throws -> [NetworkDevice] {
    var devices: [NetworkDevice] = []
    for path in try await object("/org/freedesktop/NetworkManager").call("GetDevices").first?.paths ?? [] {
      // A device that is pulled out meanwhile has no properties.
      guard let properties = try? await object(path, "Device").properties(), let kind = properties["DeviceType"]?.integer,
        let name = properties["Interface"]?.string
      else { continue }
      let hasCable = (try? await object(path, "Device.Wired").property("Carrier"))?.bool
      if kind == 2 || kind == 1 && hasCable != false {
        devices.append(NetworkDevice(path: path, isWired: kind == 1, interface: name))
      }
    }
    return devices
  }

  func device(for network: Network) async throws -> NetworkDevice? {
    try await devices().first { network.isWired ? $0.interface == network.name : !$0.isWired }
  }

  /// Returns the wireless networks that a device has found, and starts another scan.
  func accessPoints(of device: NetworkDevice) async throws -> [AccessPoint] {
    let radio = try await object(device.path, "Device.Wireless")
    // Refused while a scan is under way.
    _ = try? await radio.call("RequestScan", [.vardict([:])])
    var points: [AccessPoint] = []
    for path in try await radio.call("GetAllAccessPoints").first?.paths ?? [] {
      guard let properties = try? await object(path, "AccessPoint").properties(),
        let bytes = properties["Ssid"]?.elements?.compactMap({ $0.integer.flatMap(UInt8.init(exactly:)) }), !bytes.isEmpty,
        let name = String(validating: bytes, as: UTF8.self)
      else { continue }
      let isSecured = ["Flags", "WpaFlags", "RsnFlags"].contains {
        (properties[$0]?.integer ?? 0) & (($0 == "Flags") ? 1 : ~0) != 0
      }
      let strength = Int(properties["Strength"]?.integer ?? 0)
      points.append(AccessPoint(path: path, network: Network(name: name, isSecured: isSecured, strength: strength)))
    }
    return points
  }
}
