import Platform

/// The source of a value that an answers file does not contain.
public enum SecretReference: Sendable, Hashable {
  /// The next line of a file descriptor that the process inherited.
  case descriptor(Int32)
  /// A credential that systemd passes to the service (`LoadCredential=`, `SetCredentialEncrypted=` in systemd.exec(5)).
  case credential(String)
  /// The contents of a file, without one trailing line break.
  case file(String)
}

extension SecretReference: CustomStringConvertible {
  /// The reference as written in an answers file.
  public var description: String {
    switch self {
    case .descriptor(let number): "{ fd: \(number) }"
    case .credential(let name): "{ credential: \(YAMLText.scalar(name)) }"
    case .file(let path): "{ file: \(YAMLText.scalar(path)) }"
    }
  }
}
