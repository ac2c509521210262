extension SchemaReader {
  /// Reads a schema that refers to another one: a `$ref`, an `allOf` of one schema, or a union of one schema with null.
  ///
  /// - Returns: the other schema; nil if this schema does not refer to another one.
  mutating func indirect() throws(SchemaError) -> Read? {
    if let reference = try reader.text("$ref") {
      let target = try definitions.schema(for: reference, in: reader)
      var read = try follow("$ref", to: target.json, at: target.pointer)
      // These keywords identify the definition; its copies must not share them.
      for name in ["$id", "$schema"] { read.schema.annotations[name] = nil }
      return read
    }
    if let parts = reader.keywords["allOf"]?.array, parts.count == 1 {
      _ = reader.take("allOf")
      return try follow("allOf", to: parts[0], at: reader.pointer.pointing(to: "allOf").pointing(to: "0"))
    }
    for keyword in ["anyOf", "oneOf"] {
      guard let parts = reader.keywords[keyword]?.array, let index = Self.indexBesideNull(parts) else { continue }
      _ = reader.take(keyword)
      let pointer = reader.pointer.pointing(to: keyword)
      var read = try follow(keyword, to: parts[index], at: pointer.pointing(to: String(index)))
      // Exactly one schema in oneOf may accept null.
      guard keyword == "anyOf" || read.nullKeyword == nil else { throw SchemaError(at: pointer, .unsupportedKeyword) }
      read.nullKeyword = keyword
      return read
    }
    return nil
  }

  private func follow(_ keyword: String, to json: JSONValue, at pointer: String) throws(SchemaError) -> Read {
    let definitions = try definitions.inside(json).followed(keyword, of: reader)
    return try Self.read(json, at: pointer, allowing: place, definitions: definitions)
  }

  /// Returns the index of the schema in a union of a schema and `{"type": "null"}`; nil for any other union.
  private static func indexBesideNull(_ parts: [JSONValue]) -> Int? {
    let null: JSONValue = ["type": "null"]
    guard parts.count == 2, parts.contains(null) else { return nil }
    return parts.firstIndex { $0 != null }
  }
}
