import DBus

/// An object of the contract. Accepts more types than its interfaces declare, because some tools can send nothing else: any
/// integer type, and `a{ss}` for `a{sv}`. The values are checked where they are read.
protocol ContractObject: ExportedObject {}

extension ContractObject {
  func accepts(_ method: MethodDescription, arguments signature: String) -> Bool {
    if signature == method.inputSignature { return true }
    guard let given = try? Signature(signature).types, given.count == method.inputs.count else { return false }
    return zip(method.inputs.flatMap(\.type.types), given).allSatisfy { $0.takes($1) }
  }
}

extension SingleType {
  private static let vardict = SingleType.dictionary(key: .string, value: .variant)
  private static let textDictionary = SingleType.dictionary(key: .string, value: .string)

  fileprivate func takes(_ given: SingleType) -> Bool {
    self == given || (isInteger && given.isInteger) || (self == Self.vardict && given == Self.textDictionary)
  }

  private var isInteger: Bool {
    switch self {
    case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
    default: false
    }
  }
}
