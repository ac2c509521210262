import DBus

extension MethodCall {
  /// The call as a `busctl call` command, so that it can be repeated. A missing interface is written as "".
  var busctlText: String {
    let signature = (try? Signature(of: arguments).string) ?? "?"
    let words = [destination, path.string, interface ?? "\"\"", member, signature] + arguments.flatMap(\.busctlWords)
    let text = "busctl --user call " + words.joined(separator: " ")
    return text.count > 4_000 ? "\(text.prefix(4_000))… (\(text.count) characters)" : text
  }
}

extension Value {
  fileprivate var busctlWords: [String] {
    switch self {
    case .byte(let number): ["\(number)"]
    case .boolean(let boolean): ["\(boolean)"]
    case .int16(let number): ["\(number)"]
    case .uint16(let number): ["\(number)"]
    case .int32(let number): ["\(number)"]
    case .uint32(let number): ["\(number)"]
    case .int64(let number): ["\(number)"]
    case .uint64(let number): ["\(number)"]
    case .double(let number): ["\(number)"]
    case .string(let text): [Self.quoted(text)]
    case .objectPath(let path): [path.string]
    case .signature(let signature): [Self.quoted(signature.string)]
    case .array(_, let elements): ["\(elements.count)"] + elements.flatMap(\.busctlWords)
    case .dictionary(_, _, let entries): ["\(entries.count)"] + entries.flatMap { $0.key.busctlWords + $0.value.busctlWords }
    case .structure(let members): members.flatMap(\.busctlWords)
    case .variant(let value): [Self.quoted(value.type.description)] + value.busctlWords
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "'", "\\": "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "$'\(escaped.joined())'"
  }
}
