/// The limits of the wire format.
///
/// Source: D-Bus Specification, "Valid Signatures", "Marshaling (Wire Format)" and "Message Format". The bus has the
/// same limits and disconnects clients that exceed them.
public enum WireLimits {
  /// The maximum length of a signature in bytes, also of that of all arguments of a message together.
  public static let signatureLength = 255
  /// The maximum nesting of arrays in arrays, and of structures in structures, in one signature.
  public static let typeNesting = 32
  /// The maximum nesting of containers in one message: arrays, structures, dictionary entries and variants together.
  public static let depth = 64
  /// The maximum size of the elements of one array in bytes: 64 MiB.
  public static let arraySize = 64 << 20
  /// The maximum size of a message in bytes, including its header: 128 MiB.
  public static let messageSize = 128 << 20
  /// The maximum length of a bus name, interface name, member name or error name in bytes.
  public static let nameLength = 255
  /// The maximum length of a match rule in bytes.
  public static let matchRuleLength = 1024
}
