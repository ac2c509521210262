import Forms

extension DialogBox {
  /// The ids of the rows: their tags, or `#` and the row number if a tag is unsuitable as an id.
  var itemIDs: [String] {
    // Programs that compare strings by canonical equivalence treat equivalent ids as the same.
    var count: [String: Int] = [:]
    for item in items { count[item.tag.string, default: 0] += 1 }
    return items.enumerated().map { index, item in
      let isGood = !item.tag.isEmpty && count[item.tag.string] == 1 && item.tag.bytes.count <= 200 && DialogText.isPlain(item.tag)
      // `#` is reserved for row numbers.
      return isGood && !item.tag.begins(with: "#") ? item.tag.string : "#\(index + 1)"
    }
  }

  var shownItems: [JSONValue] {
    // Short tags are numbers or hot keys; long tags are the labels of the rows.
    let hasShortTags = items.allSatisfy { $0.tag.string.unicodeScalars.count <= 3 }
    return zip(itemIDs, items).map { id, item in
      let tag = DialogText.line(item.tag)
      let text = DialogText.line(DialogMarkup(item.text, isOn: hasMarkup).plain)
      var row: [String: JSONValue] = ["id": .string(id)]
      if text.isEmpty || tag.isEmpty || !item.showsTag {
        row["title"] = .string(!text.isEmpty ? text : !tag.isEmpty ? tag : id)
      } else if hasShortTags {
        row["title"] = .string("\(tag) \(text)")
      } else {
        (row["title"], row["subtitle"]) = (.string(tag), .string(text))
      }
      if row["subtitle"] == nil, !item.help.isEmpty { row["subtitle"] = .string(DialogText.line(item.help)) }
      return .object(row)
    }
  }

  /// The key `choosing` of the screen: the initial rows, and the number of rows that can be chosen.
  var choosing: JSONValue? {
    let ids = itemIDs
    var choosing: [String: JSONValue] = [:]
    switch kind {
    case .menu: choosing["initial"] = [.string(ids[current])]
    default: choosing["initial"] = .array(zip(ids, items).filter { $1.isOn }.map { .string($0.0) })
    }
    if chosenCount != 1...1 {
      choosing["min"] = .integer(Int64(chosenCount.lowerBound))
      choosing["max"] = .integer(Int64(chosenCount.upperBound))
    }
    return .object(choosing)
  }

  /// The property names of the editable fields, derived from their labels.
  var fieldNames: [String] {
    guard case .form(let fields) = kind else { return takesValue ? ["value"] : [] }
    var taken: Set<String> = []
    return fields.filter(\.isEditable).enumerated().map { index, field in
      let word = DialogName.words(of: field.label).filter { $0.utf8.allSatisfy { $0 < 0x80 } }.joined(separator: "-")
      let name = word.isEmpty || taken.contains(word) ? "field-\(index + 1)" : word
      taken.insert(name)
      return name
    }
  }

  func addFields(to screen: inout [String: JSONValue]) {
    var properties: [String: JSONValue] = [:]
    var values: [String: JSONValue] = [:]
    let names = fieldNames
    switch kind {
    case .entry(let initial, let isHidden):
      properties["value"] = Self.schema(isHidden ? "Password" : "Answer", isHidden: isHidden, hasValue: !initial.isEmpty)
      if !isHidden { values["value"] = .string(DialogText.field(initial)) }
    case .editor(let bytes):
      properties["value"] = ["type": "string", "title": "Text", "x-multiline": true]
      values["value"] = .string(DialogText.editable(bytes))
    case .range(let range, let initial):
      properties["value"] = [
        "type": "integer", "title": "Number", "minimum": .integer(Int64(range.lowerBound)),
        "maximum": .integer(Int64(range.upperBound)),
      ]
      values["value"] = .integer(Int64(initial))
    case .form(let fields):
      for (name, field) in zip(names, fields.filter(\.isEditable)) {
        var rest = DialogText.line(field.label).utf8[...]
        while let last = rest.last, ": ".utf8.contains(last) { rest.removeLast() }
        let label = String(Substring(rest))
        var schema = Self.schema(label.isEmpty ? name : label, isHidden: field.isHidden, hasValue: !field.value.isEmpty)
        if !field.help.isEmpty { schema.add("description", .string(DialogText.line(field.help))) }
        properties[name] = schema
        if !field.isHidden { values[name] = .string(DialogText.field(field.value)) }
      }
    default: break
    }
    // No field is required, because an empty line is a valid answer.
    screen["schema"] = ["type": "object", "properties": .object(properties)]
    screen["fields"] = .array(names.map { .string($0) })
    screen["values"] = .object(values)
  }

  private static func schema(_ title: String, isHidden: Bool, hasValue: Bool) -> JSONValue {
    guard isHidden else { return ["type": "string", "title": .string(title)] }
    var schema: JSONValue = ["type": "string", "title": .string(title), "writeOnly": true]
    if hasValue { schema.add("description", "The program has filled it in. Leave it empty to keep that.") }
    return schema
  }
}

extension JSONValue {
  fileprivate mutating func add(_ name: String, _ value: JSONValue) {
    guard case .object(var members) = self else { return }
    members[name] = value
    self = .object(members)
  }
}
