/// What the wire format allows at most.
///
/// Source: D-Bus Specification, "Valid Signatures", "Marshaling (Wire Format)" and "Message Format". The bus has the same limits
/// and disconnects who breaks them.
public enum WireLimits {
  /// Bytes of a signature, also of all the arguments of a message together.
  public static let signatureLength = 255
  /// Arrays within arrays, and likewise structures within structures, in one signature.
  public static let typeNesting = 32
  /// Containers within containers in one message: arrays, structures, dictionary entries and variants together.
  public static let depth = 64
  /// Bytes of the elements of one array: 64 MiB.
  public static let arraySize = 64 << 20
  /// Bytes of a message, its header included: 128 MiB.
  public static let messageSize = 128 << 20
  /// Bytes of a bus name, an interface, a member or an error name.
  public static let nameLength = 255
  /// Bytes of a match rule.
  public static let matchRuleLength = 1024
}
