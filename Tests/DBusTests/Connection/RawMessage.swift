/// A message body that marshals values in little-endian order without validating them.
struct RawBody {
  private(set) var bytes: [UInt8] = []

  func u8(_ value: UInt8) -> RawBody { adding { $0.append(value) } }
  func u32(_ value: UInt32) -> RawBody {
    aligned(4).adding { $0 += withUnsafeBytes(of: value.littleEndian, Array.init) }
  }
  func text(_ text: String) -> RawBody { text8(Array(text.utf8)) }
  /// Appends a string of arbitrary bytes.
  func text8(_ text: [UInt8]) -> RawBody { u32(UInt32(text.count)).adding { $0 += text + [0] } }
  func signature(_ text: String) -> RawBody { adding { $0 += [UInt8(text.utf8.count)] + text.utf8 + [0] } }
  func raw(_ bytes: some Sequence<UInt8>) -> RawBody { adding { $0 += bytes } }
  func aligned(_ alignment: Int) -> RawBody {
    adding { while $0.count % alignment != 0 { $0.append(0) } }
  }

  private func adding(_ change: (inout [UInt8]) -> Void) -> RawBody {
    var copy = self
    change(&copy.bytes)
    return copy
  }
}

/// A message that can be encoded whether it is valid or not.
struct RawMessage {
  enum Kind: UInt8 {
    case methodCall = 1
    case methodReturn, error, signal
  }

  var kind: UInt8 = Kind.methodCall.rawValue
  var flags: UInt8 = 0
  /// String header fields by their code: path 1, interface 2, member 3, error name 4, destination 6.
  var fields: [(code: UInt8, type: String, text: String)] = []
  var replySerial: UInt32?
  var signature = ""
  var body = RawBody()
  /// The length that the header states instead of the true length of the body.
  var claimedLength: UInt32?

  static func call(
    to destination: String, _ path: String, _ interface: String?, _ member: String, _ signature: String = "",
    _ body: RawBody = RawBody(), flags: UInt8 = 0
  ) -> RawMessage {
    var fields: [(UInt8, String, String)] = [(1, "o", path), (3, "s", member), (6, "s", destination)]
    if let interface { fields.append((2, "s", interface)) }
    return RawMessage(flags: flags, fields: fields, signature: signature, body: body)
  }

  static func addMatch(_ rule: String) -> RawMessage {
    call(to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", RawBody().text(rule))
  }

  func bytes(serial: UInt32) -> [UInt8] {
    var header = RawBody().u8(UInt8(ascii: "l")).u8(kind).u8(flags).u8(1).u32(claimedLength ?? UInt32(body.bytes.count)).u32(
      serial)
    var list = RawBody()
    for field in fields {
      list = list.aligned(8).u8(field.code).signature(field.type)
      list = field.type == "g" ? list.signature(field.text) : list.text(field.text)
    }
    if let replySerial { list = list.aligned(8).u8(5).signature("u").u32(replySerial) }
    if !signature.isEmpty { list = list.aligned(8).u8(8).signature("g").signature(signature) }
    header = header.u32(UInt32(list.bytes.count)).raw(list.bytes).aligned(8)
    return header.bytes + body.bytes
  }
}

/// The parts of a received message that the tests check.
struct RawReply {
  var type: RawMessage.Kind?
  var replySerial: UInt32?
  var sender = ""
  var member = ""
  var errorName = ""
  private let body: [UInt8]

  /// The first argument, if it is a string.
  var text: String? {
    guard body.count >= 4 else { return nil }
    return String(decoding: body.dropFirst(4).prefix(Int(Self.u32(body, 0))), as: UTF8.self)
  }

  init(head: [UInt8], fields: [UInt8], body: [UInt8]) {
    self.body = body
    type = RawMessage.Kind(rawValue: head[1])
    var position = 0
    while position + 8 <= fields.count, position < Int(Self.u32(head, 12)) {
      let code = fields[position]
      // A code, a signature of one letter, and the value, which is aligned to four bytes except for signatures.
      let value = position + 4
      if fields[position + 2] == UInt8(ascii: "g") {
        position = (value + Int(fields[value]) + 2 + 7) & ~7
        continue
      }
      let number = Self.u32(fields, value)
      if code == 5 || code == 9 {
        if code == 5 { replySerial = number }
        position = (value + 4 + 7) & ~7
        continue
      }
      let text = String(decoding: fields[(value + 4)..<(value + 4 + Int(number))], as: UTF8.self)
      if code == 3 { member = text }
      if code == 4 { errorName = text }
      if code == 7 { sender = text }
      position = (value + 4 + Int(number) + 1 + 7) & ~7
    }
  }

  static func u32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }
}
