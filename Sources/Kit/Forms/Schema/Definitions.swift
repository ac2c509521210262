import Platform

/// The schemas in `$defs`, to which a `$ref` such as `#/$defs/Colour` refers.
struct Definitions {
  /// The maximum number of references, unions and wrappers that lead to one value. Longer chains are refused, and therefore
  /// recursive references.
  private static let maximumIndirections = 16

  /// The definitions; nil inside a schema with its own `$id`, where `#` refers to that schema.
  private var schemas: [String: JSONValue]?
  private var indirections = 0

  init(of schema: JSONValue) { schemas = schema.object?["$defs"]?.object ?? [:] }

  /// Returns the definitions as they apply in a subschema.
  func inside(_ schema: JSONValue) -> Definitions {
    var result = self
    if schema["$id"] != nil { result.schemas = nil }
    return result
  }

  /// Returns the definitions after one more indirection.
  func followed(_ keyword: String, of reader: KeywordReader) throws(SchemaError) -> Definitions {
    var result = self
    result.indirections += 1
    guard result.indirections <= Self.maximumIndirections else { throw reader.error(keyword, .unsupportedReference) }
    return result
  }

  /// Returns the schema that the `$ref` with the given value refers to, and its pointer.
  func schema(for reference: String, in reader: KeywordReader) throws(SchemaError) -> (json: JSONValue, pointer: String) {
    guard let schemas, let token = reference.bytes.dropping(prefix: "#/$defs/"), let name = Self.name(in: token),
      let json = schemas[name]
    else { throw reader.error("$ref", .unsupportedReference) }
    return (json, "".pointing(to: "$defs").pointing(to: name))
  }

  /// Decodes one token of a JSON pointer in a URI fragment (RFC 6901, section 6); returns nil if the text is invalid or has
  /// more than one token.
  private static func name(in text: Substring) -> String? {
    var bytes: [UInt8] = []
    var cursor = ByteCursor(Array(text.utf8)[...])
    while let byte = cursor.peek {
      guard cursor.skip("%") else {
        guard byte != UInt8(ascii: "/") else { return nil }
        bytes.append(byte)
        cursor.skipOne()
        continue
      }
      guard let high = cursor.next(of: .hexadecimal), let low = cursor.next(of: .hexadecimal),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
    }
    let parts = String(decoding: bytes, as: UTF8.self).bytes.split(separator: "~", omittingEmptySubsequences: false)
    var name = String(parts.first ?? "")
    for part in parts.dropFirst() {
      switch part.utf8.first {
      case UInt8(ascii: "0"): name += "~"
      case UInt8(ascii: "1"): name += "/"
      default: return nil
      }
      name += Substring(part.utf8.dropFirst())
    }
    return name
  }
}
