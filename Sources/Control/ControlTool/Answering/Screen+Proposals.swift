import CoordinatorKit

extension Screen {
  /// Returns the value that the screen proposes for a field of its form, if the field's schema accepts it.
  func proposal(for field: Field) -> JSONValue? {
    guard !field.schema.isSecret, let value = values[field.name] ?? field.schema.defaultValue,
      Form(field).schema.check([field.name: value]).isEmpty
    else { return nil }
    return value
  }

  /// Returns the payload of an event with the values that the screen proposes for the fields that it lacks.
  ///
  /// - Parameters:
  ///   - payload: values that are given.
  ///   - event: event of an action; only the primary one sends the form.
  /// - Returns: the payload, without fields that are not shown for these values.
  func filledIn(_ payload: [String: JSONValue], for event: String) -> [String: JSONValue] {
    guard let form, actions.contains(where: { $0.id == event && $0.role == .primary }) else { return payload }
    var filled = payload
    for field in form.fields where filled[field.name] == nil { filled[field.name] = proposal(for: field) }
    let shown = Set(form.shownFields(in: filled).map(\.name))
    // Given values are sent unchanged, so that the daemon can report the errors in them.
    return filled.filter { payload[$0.key] != nil || shown.contains($0.key) }
  }
}
