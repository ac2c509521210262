extension OpenSchema {
  /// The maximum nesting depth of subschemas. Deeper ones are refused, because reading is recursive.
  private static let maximumDepth = 64

  /// Decodes a schema.
  ///
  /// - Parameter json: the schema in JSON Schema.
  /// - Throws: ``SchemaError`` if it uses a keyword that ``Schema`` does not know either.
  package init(json: JSONValue) throws(SchemaError) {
    try self.init(json, at: "", depth: 0, definitions: Definitions(of: json))
  }

  private init(_ json: JSONValue, at pointer: String, depth: Int, definitions: Definitions) throws(SchemaError) {
    if let isSatisfiable = json.boolean {
      self.isSatisfiable = isSatisfiable
      return
    }
    var reader = try KeywordReader(json, at: pointer)
    guard depth < Self.maximumDepth else { throw SchemaError(at: pointer, .unsupportedType) }
    for keyword in ["$defs", "title", "description", "default", "writeOnly"] { _ = reader.take(keyword) }
    _ = try reader.takeAnnotations()
    types = try Self.types(&reader)
    if let value = reader.take("const") { values.append([value]) }
    if let list = reader.take("enum") {
      guard let list = list.array else { throw reader.error("enum", .malformed(expected: "an array")) }
      values.append(list)
    }
    text = try reader.textRule()
    number = try reader.numberBounds()
    count = try reader.counts("minItems", "maxItems")
    isUnique = try reader.flag("uniqueItems")
    required = try reader.names("required")
    try readSubschemas(&reader, depth: depth + 1, definitions: definitions)
    try reader.refuseRest()
  }

  private static func types(_ reader: inout KeywordReader) throws(SchemaError) -> Set<String>? {
    reader.keywords["type"]?.array == nil ? try reader.text("type").map { [$0] } : try reader.names("type")
  }

  private mutating func readSubschemas(
    _ reader: inout KeywordReader, depth: Int, definitions: Definitions
  ) throws(SchemaError) {
    func read(_ json: JSONValue, at pointer: String, _ definitions: Definitions) throws(SchemaError) -> OpenSchema {
      try OpenSchema(json, at: pointer, depth: depth, definitions: definitions.inside(json))
    }
    if let json = reader.take("items") { items = [try read(json, at: reader.pointer.pointing(to: "items"), definitions)] }
    if let json = reader.take("additionalProperties") {
      additional = [try read(json, at: reader.pointer.pointing(to: "additionalProperties"), definitions)]
    }
    if let json = reader.take("properties") {
      guard let members = json.object else { throw reader.error("properties", .malformed(expected: "an object")) }
      let pointer = reader.pointer.pointing(to: "properties")
      // Sorted, so that the same problem is always reported first.
      for (name, json) in members.sorted(by: { $0.key < $1.key }) {
        properties[name] = try read(json, at: pointer.pointing(to: name), definitions)
      }
    }
    func readUnion(_ keyword: String, _ reader: inout KeywordReader) throws(SchemaError) -> [OpenSchema]? {
      guard let json = reader.take(keyword) else { return nil }
      guard let parts = json.array else { throw reader.error(keyword, .malformed(expected: "an array")) }
      var schemas: [OpenSchema] = []
      for (index, part) in parts.enumerated() {
        let pointer = reader.pointer.pointing(to: keyword).pointing(to: String(index))
        schemas.append(try read(part, at: pointer, definitions))
      }
      return schemas
    }
    all = try readUnion("allOf", &reader) ?? []
    any = try readUnion("anyOf", &reader)
    one = try readUnion("oneOf", &reader)
    if let reference = try reader.text("$ref") {
      let target = try definitions.schema(for: reference, in: reader)
      all.append(try read(target.json, at: target.pointer, try definitions.followed("$ref", of: reader)))
    }
  }
}
