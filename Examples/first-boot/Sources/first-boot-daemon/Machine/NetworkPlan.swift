/// How a machine is to join a network.
struct NetworkPlan: Codable, Hashable, Sendable {
  var network: Network
  var addressing = Addressing()

  /// A UUID of version 8 that is the same for equal plans, so that the machine recognizes the plan later: the FNV-1a hash of
  /// all values that distinguish connections.
  var id: String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in "\(network.name)\n\(network.isWired)\n\(addressing)".utf8 {
      hash = (hash ^ UInt128(byte)) &* 0x0100_0000_0000_0000_0000_013b
    }
    var digits = Array(String(hash | 1 << 127, radix: 16))
    (digits[12], digits[16]) = ("8", "8")
    for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
    return String(digits)
  }
}
