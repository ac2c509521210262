/// A schema that is checked according to JSON Schema 2020-12: it accepts any type of value unless `type` limits it, unknown
/// properties unless `additionalProperties` refuses them, and null as a separate value.
///
/// Forms are stricter: ``Schema`` requires a type and a title, and closes objects. This type is the same validator without
/// these rules, with the same checks of strings, numbers and lists, so that tests can compare it with other implementations of
/// the same keywords. Use it for schemas from a trusted source only: their definitions are expanded.
package struct OpenSchema: Sendable {
  /// Whether the schema accepts any value; false for the schema `false`.
  var isSatisfiable = true
  /// The allowed types; nil if all types are allowed.
  var types: Set<String>?
  /// The allowed values, for each of `enum` and `const`.
  var values: [[JSONValue]] = []

  var text = Schema.TextRule()
  var number = Bounds<Double>()
  var count = Bounds<Int>()
  var isUnique = false
  var properties: [String: OpenSchema] = [:]
  var required: Set<String> = []

  /// The schema of the entries of a list; at most one.
  var items: [OpenSchema] = []
  /// The schema of properties without their own schema; at most one.
  var additional: [OpenSchema] = []
  /// Schemas all of which must accept the value: `allOf` and `$ref`.
  var all: [OpenSchema] = []
  /// Schemas at least one of which must accept the value; nil if there is no `anyOf`.
  var any: [OpenSchema]?
  /// Schemas exactly one of which must accept the value; nil if there is no `oneOf`.
  var one: [OpenSchema]?
}

extension OpenSchema {
  /// Returns whether a value conforms to the schema.
  package func accepts(_ value: JSONValue) -> Bool {
    guard isSatisfiable, types.map({ !$0.isDisjoint(with: value.typeNames) }) ?? true else { return false }
    let identity = values.isEmpty ? [] : value.identity
    guard values.allSatisfy({ $0.contains { $0.identity == identity } }), acceptsContent(of: value) else { return false }
    return all.allSatisfy { $0.accepts(value) } && any?.contains { $0.accepts(value) } ?? true
      && one.map { $0.count { $0.accepts(value) } == 1 } ?? true
  }

  private func acceptsContent(of value: JSONValue) -> Bool {
    switch value {
    case .null, .boolean: true
    case .integer, .number: Schema.problem(with: value, number) == nil
    case .string: text.problem(with: value) == nil
    case .array(let entries):
      count.ofCount.contains(entries.count) && entries.allSatisfy { entry in items.allSatisfy { $0.accepts(entry) } }
        && !(isUnique && entries.haveEqualEntries)
    case .object(let members):
      required.allSatisfy { members[$0] != nil }
        && members.allSatisfy { name, member in
          properties[name].map { $0.accepts(member) } ?? additional.allSatisfy { $0.accepts(member) }
        }
    }
  }
}

extension JSONValue {
  /// The names of the value's types in JSON Schema. A number without a fraction is also an integer, however large.
  fileprivate var typeNames: Set<String> {
    switch self {
    case .integer: ["integer", "number"]
    case .number(let number): number.isFinite && number == number.rounded() ? ["integer", "number"] : ["number"]
    default: [typeName]
    }
  }
}

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
