/// Percent-encoding as used in paths, links and form bodies (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Decodes bytes; returns nil if a `%` is not followed by two hexadecimal digits.
  package static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = iterator.next()?.hexadecimalDigit, let low = iterator.next()?.hexadecimalDigit else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  /// Encodes a string as one path segment or one query value.
  package static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether the byte never needs encoding in a URI (`unreserved` in RFC 3986, section 2.3).
  package var isUnreserved: Bool {
    isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self)
  }
}
