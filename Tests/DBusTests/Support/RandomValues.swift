import DBus
import TestBus

/// Generates values of random types, for testing properties that every value has.
struct RandomValues {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns a type with at most `depth` nested containers.
  mutating func type(depth: Int) -> SingleType {
    let basic = basicType()
    guard depth > 0 else { return basic }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .array(type(depth: depth - 1))
    case 1: return .dictionary(key: basic, value: type(depth: depth - 1))
    case 2: return .structure((0...Int.random(in: 0...2, using: &generator)).map { _ in type(depth: depth - 1) })
    case 3: return .variant
    default: return basic
    }
  }

  /// Returns a value of a type. Its variants contain at most `depth` more nested containers.
  mutating func value(of type: SingleType, depth: Int) -> Value {
    switch type {
    case .byte: .byte(.random(in: .min ... .max, using: &generator))
    case .boolean: .boolean(.random(using: &generator))
    case .int16: .int16(.random(in: .min ... .max, using: &generator))
    case .uint16: .uint16(.random(in: .min ... .max, using: &generator))
    case .int32: .int32(.random(in: .min ... .max, using: &generator))
    case .uint32: .uint32(.random(in: .min ... .max, using: &generator))
    case .int64: .int64(.random(in: .min ... .max, using: &generator))
    case .uint64: .uint64(.random(in: .min ... .max, using: &generator))
    case .double: .double(.random(in: -1e9...1e9, using: &generator))
    case .string: .string(String(repeating: "é", count: .random(in: 0..<9, using: &generator)))
    case .objectPath: .objectPath(Bool.random(using: &generator) ? "/" : "/org/example/Thing")
    case .signature: .signature(Bool.random(using: &generator) ? "" : "a{sv}(ii)")
    case .array(let element): .array(of: element, some { $0.value(of: element, depth: depth) })
    case .dictionary(let key, let value):
      .dictionary(
        key: key, value: value,
        some { DictionaryEntry(key: $0.value(of: key, depth: 0), value: $0.value(of: value, depth: depth)) })
    case .structure(let members): .structure(members.map { value(of: $0, depth: depth) })
    case .variant: .variant(value(of: self.type(depth: depth - 1), depth: depth - 1))
    }
  }

  /// Returns a string of up to `length` characters that are valid in names, and some that are not.
  mutating func nameLike(length: Int) -> String {
    let alphabet = ["a", "z", "A", "Z", "_", "0", "9", ".", ".", "/", "/", ":", "-", " ", "@", "[", "`", "{", "\u{7F}", "é"]
    return (0..<Int.random(in: 0...length, using: &generator)).map { _ in
      alphabet.randomElement(using: &generator) ?? ""
    }.joined()
  }

  /// Returns a string of up to `length` type codes.
  mutating func signatureLike(length: Int) -> String {
    String(
      (0..<Int.random(in: 0...length, using: &generator)).compactMap { _ in "aaa(){}{}svyi".randomElement(using: &generator) })
  }

  private mutating func basicType() -> SingleType {
    let types: [SingleType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]
    return types.randomElement(using: &generator) ?? .byte
  }

  private mutating func some<T>(_ make: (inout RandomValues) -> T) -> [T] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
  }
}
