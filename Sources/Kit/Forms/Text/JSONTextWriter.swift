import Platform

/// Writes JSON text.
struct JSONTextWriter {
  private var bytes: [UInt8] = []

  /// What has been written.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends what a coder has encoded. Recurses no deeper than the coder.
  mutating func append(_ item: JSONTextEncoder.Item) {
    switch item {
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .string(let string): append(quoted: string)
    case .json(let value): append(value)
    case .node(let node):
      switch node.content {
      case .nothing: append(literal: "{}")
      case .item(let item): append(item)
      case .array(let items):
        append(elements: items) { $0.append($1) }
      case .object(let members):
        append(members: members.map { ($0.key, $0.value) }) { $0.append($1) }
      }
    }
  }

  /// Appends a JSON value. Recurses no deeper than the value, which the coder limits.
  private mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(literal: "null")
    case .boolean(let value): append(literal: value ? "true" : "false")
    case .integer(let value): bytes.append(contentsOf: value.description.utf8)
    case .number(let value): bytes.append(contentsOf: Self.text(of: value).utf8)
    case .string(let value): append(quoted: value)
    case .array(let elements):
      append(elements: elements) { $0.append($1) }
    case .object(let members):
      append(members: members.map { ($0.key, $0.value) }) { $0.append($1) }
    }
  }

  /// Returns a finite number as text.
  static func text(of number: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    let text = number.description
    return text.bytes.dropping(suffix: ".0").map { String($0) } ?? text
  }

  private mutating func append<Element>(elements: [Element], _ body: (inout JSONTextWriter, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      body(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append<Element>(
    members: [(key: String, value: Element)], _ body: (inout JSONTextWriter, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "{"))
    let sorted =
      members.count < 2 ? members : members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in sorted.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(quoted: member.key)
      bytes.append(UInt8(ascii: ":"))
      body(&self, member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private mutating func append(quoted string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: append(literal: "\\b")
      case 0x09: append(literal: "\\t")
      case 0x0A: append(literal: "\\n")
      case 0x0C: append(literal: "\\f")
      case 0x0D: append(literal: "\\r")
      case 0..<0x20:
        append(literal: "\\u00")
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: (digits.utf8.count < 2 ? "0" + digits : digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
