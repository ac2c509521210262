/// Where a value is to be read that does not stand in an answers file.
public enum SecretReference: Sendable, Hashable {
  /// The next line of a file descriptor that whoever starts the program has opened.
  case descriptor(Int32)
  /// A credential that systemd has handed to the service (`LoadCredential=`, `SetCredentialEncrypted=`).
  case credential(String)
  /// A file, without one line break at its end.
  case file(String)
}

extension SecretReference: CustomStringConvertible {
  /// As it is written in an answers file.
  public var description: String {
    switch self {
    case .descriptor(let number): "{ fd: \(number) }"
    case .credential(let name): "{ credential: \(YAMLText.scalar(name)) }"
    case .file(let path): "{ file: \(YAMLText.scalar(path)) }"
    }
  }
}
