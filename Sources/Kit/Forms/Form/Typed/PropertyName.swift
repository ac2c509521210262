import Platform

/// Finds the names of stored properties.
enum PropertyName {
  /// Returns the name of the property that a key path leads to.
  ///
  /// The standard library prints a key path with the names of stored properties, which it finds by their offsets.
  ///
  /// - Parameter path: the key path.
  /// - Returns: the name; nil if the key path leads to a computed property, or through more than one property.
  static func name<Root>(of path: PartialKeyPath<Root>) -> String? {
    let text = path.debugDescription
    guard let name = text.bytes.dropping(prefix: "\\\(Root.self).") else { return nil }
    // These forms are not names: `<computed …>`, `<offset …>`, `a.b`, `a?.b`, `a!`, `[0]`, `self`.
    return name.isEmpty || name == "self" || name.utf8.contains(where: { ".<>?![]".utf8.contains($0) }) ? nil : String(name)
  }
}
