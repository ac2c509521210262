import CoordinatorKit
import DBus

extension NetworkPlan {
  /// The plan as a profile of NetworkManager, of the type `a{sa{sv}}`; see nm-settings-dbus(5).
  func settings(passphrase: Secret?) -> Value {
    var settings: [(String, [String: Value])] = [
      (
        "connection",
        [
          "id": .string(network.name), "uuid": .string(id),
          "type": .string(network.isWired ? "802-3-ethernet" : "802-11-wireless"),
        ]
      ),
      ("ipv4", ipv4), ("ipv6", ["method": .string(addressing.method == .automatic ? "auto" : "link-local")]),
    ]
    if !network.isWired {
      settings.append(("802-11-wireless", ["ssid": .array(of: .byte, network.name.utf8.map(Value.byte))]))
    }
    if let passphrase, network.isSecured {
      // A D-Bus message takes a string. All memory that this program frees is overwritten.
      let key = passphrase.withString { Value.string($0) }
      settings.append(("802-11-wireless-security", ["key-mgmt": .string("wpa-psk"), "psk": key]))
    }
    return .dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      settings.map { DictionaryEntry(key: .string($0.0), value: .vardict($0.1)) })
  }

  private var ipv4: [String: Value] {
    guard addressing.method == .manual, let address = addressing.address?.split(separator: "/"), address.count == 2 else {
      return ["method": .string("auto")]
    }
    let entry: [String: Value] = ["address": .string(String(address[0])), "prefix": .uint32(UInt32(address[1]) ?? 0)]
    var settings: [String: Value] = ["method": .string("manual"), "address-data": .vardicts([entry])]
    if let gateway = addressing.gateway { settings["gateway"] = .string(gateway) }
    if let server = addressing.nameServer { settings["dns-data"] = .strings([server]) }
    return settings
  }
}
