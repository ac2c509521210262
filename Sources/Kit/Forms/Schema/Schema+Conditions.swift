extension Schema {
  /// Returns the names of the fields that are shown for some values of the form, in time linear in the size of the
  /// form.
  ///
  /// - Parameter values: the values, by field. They need not be valid or complete.
  /// - Returns: the names of the fields without conditions, and of those whose conditions hold.
  public func shownFields(in values: [String: JSONValue]) -> Set<String> {
    Set(fields.lazy.map(\.name)).subtracting(hiddenFields(in: values))
  }

  /// Returns the names of the fields whose conditions do not all hold.
  ///
  /// A condition on a field that the schema does not have holds, so that renderers can check one field alone. Fields
  /// with cyclic conditions, which `validate()` refuses, are hidden.
  func hiddenFields(in values: [String: JSONValue]) -> Set<String> {
    hiddenFields { condition in
      guard let value = values[condition.field], !value.isNull else { return false }
      return condition.values.contains { $0.isSameScalar(as: value) }
    }
  }

  /// Returns the names of the fields that are hidden. `holds` decides conditions on shown fields.
  private func hiddenFields(_ holds: (FieldCondition) -> Bool) -> Set<String> {
    guard fields.contains(where: { !$0.conditions.isEmpty }) else { return [] }
    let names = Set(fields.map(\.name))
    // A field is shown when its last unmet condition has been met, which may meet conditions of other fields.
    var unmet: [String: Int] = [:]
    var dependents: [String: [(name: String, condition: FieldCondition)]] = [:]
    for field in fields {
      for condition in field.conditions where names.contains(condition.field) {
        unmet[field.name, default: 0] += 1
        dependents[condition.field, default: []].append((field.name, condition))
      }
    }
    var shown = names.filter { unmet[$0] == nil }
    while let name = shown.popFirst() {
      for dependent in dependents[name] ?? [] where holds(dependent.condition) {
        let rest = (unmet[dependent.name] ?? 0) - 1
        unmet[dependent.name] = rest > 0 ? rest : nil
        if rest == 0 { shown.insert(dependent.name) }
      }
    }
    return Set(unmet.keys)
  }

  /// Validates the conditions of the fields.
  func validateConditions(at pointer: String) throws(SchemaError) {
    guard fields.contains(where: { !$0.conditions.isEmpty }) else { return }
    let known = Dictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    for field in fields where !field.conditions.isEmpty {
      let pointer = pointer.pointing(to: field.name).pointing(to: Keyword.shownIf)
      var names: Set<String> = []
      for condition in field.conditions {
        guard names.insert(condition.field).inserted else { throw SchemaError(at: pointer, .duplicateProperty(condition.field)) }
        guard let schema = known[condition.field] else { throw SchemaError(at: pointer, .unknownProperty(condition.field)) }
        guard schema.mayDecide, !condition.values.isEmpty, condition.values.allSatisfy({ schema.problem(with: $0) == nil }) else {
          throw SchemaError(at: pointer.pointing(to: condition.field), .impossibleCondition)
        }
      }
    }
    let cyclic = hiddenFields { _ in true }
    if let name = fields.first(where: { cyclic.contains($0.name) })?.name {
      throw SchemaError(at: pointer.pointing(to: name).pointing(to: Keyword.shownIf), .cyclicCondition)
    }
  }

  /// Whether other fields may depend on the value. They must not depend on a secret, because they would disclose it.
  private var mayDecide: Bool {
    switch rule {
    case .list, .object: false
    case .text, .integer, .number, .boolean, .choice: !isSecret
    }
  }
}
