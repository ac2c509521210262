import Platform

/// The stored properties of a type, as the Swift runtime describes them.
enum StoredProperties {
  /// Returns the names of the stored properties of a class or actor that are declared with `var`.
  ///
  /// - Parameter type: the type.
  /// - Returns: the names, in the order of the declaration.
  static func variables<Type: AnyObject>(of type: Type.Type) -> [String] {
    let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return (0..<fieldCount(type)).compactMap { index in
      var field = Field()
      _ = describeField(type, index: index, into: &field)
      defer { field.free?(field.name) }
      guard field.isVariable, let name = field.name.map(String.init(cString:)), name != "$defaultActor" else { return nil }
      return name.bytes.dropping(prefix: "$__lazy_storage_$_").map { String($0) } ?? name
    }
  }
}

// `Mirror` does not tell `var` from `let`, but these functions of the runtime, on which it rests, do.
// Source: stdlib/public/core/ReflectionMirror.swift.

private struct Field {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: UnsafeRawPointer) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func describeField(_ type: UnsafeRawPointer, index: Int, into field: UnsafeMutablePointer<Field>) -> UnsafeRawPointer
