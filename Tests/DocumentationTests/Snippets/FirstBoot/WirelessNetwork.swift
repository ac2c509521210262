import CoordinatorKit

/// A wireless network within reach.
struct WirelessNetwork: Codable, Hashable {
  var name: String
  var isSecured: Bool
  /// The strength of its signal in percent.
  var strength: Int

  var item: Item {
    Item(name, Text(verbatim: name), subtitle: Text(verbatim: "\(strength) %"), group: isSecured ? "Secured" : "Open")
  }
}
