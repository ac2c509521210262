import CPlatform
import Glibc

/// Reads the methods that a type declares, if its program contains their symbols.
package enum DeclaredMethods {
  /// Returns the methods of a type that are visible in its module, without their qualifiers, such as `receive(_:
  /// CoordinatorKit.Event, on: Demo.Route) throws -> ()`.
  ///
  /// Reads the symbol table of the program or library that contains the type, which takes milliseconds.
  ///
  /// - Parameter type: a class or actor that is not generic.
  /// - Returns: the methods; none if the program is stripped.
  package static func of<Type: AnyObject>(_ type: Type.Type) -> [String] {
    guard let mangled = _mangledTypeName(type), let name = name(of: type) else { return [] }
    var symbols: [String] = []
    withUnsafeMutablePointer(to: &symbols) { symbols in
      function_symbols(
        unsafeBitCast(type, to: UnsafeRawPointer.self), "$s" + mangled,
        { symbol, symbols in
          guard let symbol, let symbols else { return }
          symbols.assumingMemoryBound(to: [String].self).pointee.append(String(cString: symbol))
        }, symbols)
    }
    return symbols.compactMap { symbol in
      // The last letters of a symbol give its kind: a method or a static method.
      guard symbol.bytes.hasSuffix("F") || symbol.bytes.hasSuffix("FZ"), var method = demangled(symbol)?[...] else { return nil }
      method = method.bytes.dropping(prefix: "static ") ?? method
      return method.bytes.dropping(prefix: name + ".").map { String($0) }
    }
  }

  /// Returns the name of a type as it appears in the methods that ``of(_:)`` returns; nil if it has none.
  package static func name(of type: Any.Type) -> String? { _mangledTypeName(type).flatMap { demangled("$s" + $0) } }

  private static func demangled(_ symbol: String) -> String? {
    guard let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
