extension SchemaReader {
  /// Reads the values to choose from: `enum`, `const`, or a union of constants.
  ///
  /// - Parameter type: the value of `type`.
  /// - Returns: the choices; nil if the schema has none.
  /// - Throws: ``SchemaError`` for the first problem.
  mutating func choices(type: String?) throws(SchemaError) -> [Schema.Choice]? {
    let given = ["enum", "const", "oneOf", "anyOf"].filter { reader.keywords[$0] != nil }
    guard let keyword = given.first, let value = reader.take(keyword) else { return nil }
    if given.count > 1 { throw reader.error(given[1], .unsupportedKeyword) }
    let path = reader.pointer.pointing(to: keyword)
    switch keyword {
    case "const":
      nullKeyword = nil
      return [try Self.checked(Schema.Choice(value), type: type, at: path)]
    case "enum":
      guard let values = value.array else { throw reader.error(keyword, .malformed(expected: "an array")) }
      return try choices(among: values, type: type, at: path)
    default:
      guard let parts = value.array else { throw reader.error(keyword, .malformed(expected: "an array")) }
      guard let first = parts.first?.object, first["const"] != nil else { throw reader.error(keyword, .unsupportedKeyword) }
      nullKeyword = nil
      return try Self.constants(parts, type: type, at: path)
    }
  }

  /// Reads an `enum`. Null is among its values exactly if the type is absent or also allows null.
  private mutating func choices(
    among values: [JSONValue], type: String?, at path: String
  ) throws(SchemaError) -> [Schema.Choice] {
    let allowsNull = type == nil || nullKeyword != nil
    nullKeyword = allowsNull && values.contains(.null) ? "enum" : nil
    var choices: [Schema.Choice] = []
    for (index, value) in values.enumerated() where !(allowsNull && value.isNull) {
      choices.append(try Self.checked(Schema.Choice(value), type: type, at: path.pointing(to: String(index))))
    }
    return choices
  }

  private static func constants(_ parts: [JSONValue], type: String?, at path: String) throws(SchemaError) -> [Schema.Choice] {
    var choices: [Schema.Choice] = []
    for (index, part) in parts.enumerated() {
      let pointer = path.pointing(to: String(index))
      var reader = try KeywordReader(part, at: pointer)
      try reader.dropNulls()
      let title = try reader.text("title")
      var annotations = try reader.takeAnnotations()
      annotations["description"] = try reader.text("description").map(JSONValue.string)
      let ownType = try reader.text("type")
      guard let value = reader.take("const") else { throw reader.error("const", .malformed(expected: "present")) }
      try reader.refuseRest()
      let choice = try checked(Schema.Choice(value, shown: title, annotations: annotations), type: ownType, at: pointer)
      choices.append(try checked(choice, type: type, at: pointer))
    }
    return choices
  }

  private static func checked(_ choice: Schema.Choice, type: String?, at pointer: String) throws(SchemaError) -> Schema.Choice {
    let name = choice.value.typeName
    guard type == nil || type == name || (type == "number" && name == "integer") else {
      throw SchemaError(at: pointer, .badChoice)
    }
    return choice
  }
}
