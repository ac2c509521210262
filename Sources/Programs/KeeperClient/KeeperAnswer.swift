import Forms

/// An answer in the form that a keeper takes.
package struct KeeperAnswer: Sendable {
  let question: String
  /// The event of the screen; nil for Back.
  let event: String?
  let payload: [String: JSONValue]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - question: the id of the question.
  ///   - event: the event of the screen; nil for Back.
  ///   - payload: the payload of the event, without secrets.
  package init(question: String, event: String?, payload: [String: JSONValue]) {
    (self.question, self.event, self.payload) = (question, event, payload)
  }

  /// Calls a closure with the line of this answer, which is overwritten afterwards.
  ///
  /// - Parameters:
  ///   - secrets: the values of secret fields, by the name of the field.
  ///   - body: receives the line. It must not keep it.
  /// - Returns: what the closure returns.
  func withLine<T>(_ secrets: [String: Secret], _ body: ([UInt8]) -> T) -> T {
    guard let event else { return body(Array("\(text(["back": .string(question)]))\n".utf8)) }
    let head = text(["answer": .string(question), "event": .string(event), "payload": .object(payload)])
    let names = secrets.keys.sorted()
    let size = secrets.values.reduce(head.utf8.count + 64) { $0 + 6 * $1.withBytes { $0.count } }
    var line: [UInt8] = []
    // An array that grows leaves copies of its bytes in memory.
    line.reserveCapacity(size + names.reduce(0) { $0 + 6 * $1.utf8.count + 8 })
    line += head.utf8.dropLast()
    line += Array(#","secrets":{"#.utf8)
    for (index, name) in names.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += text(.string(name)).utf8
      line += Array(#":""#.utf8)
      secrets[name]?.withBytes { for index in $0.indices { Self.append($0[index], to: &line) } }
      line.append(UInt8(ascii: "\""))
    }
    line += Array("}}\n".utf8)
    defer { for index in line.indices { line[index] = 0 } }
    return body(line)
  }

  private static func append(_ byte: UInt8, to line: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
    case 0..<0x20, 0x7F:
      let digits = Array("0123456789abcdef".utf8)
      line += [UInt8(ascii: "\\"), UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: line.append(byte)
    }
  }

  private func text(_ json: JSONValue) -> String { json.text(omittingNulls: false) }
}
