/// The description of a property of an interface.
public struct PropertyDescription: Sendable, Hashable {
  /// How clients may access a property.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    case read
    case write
    case readWrite = "readwrite"

    /// Whether `Get` and `GetAll` return the property.
    public var isReadable: Bool { self != .write }
    /// Whether `Set` may change the property.
    public var isWritable: Bool { self != .read }
  }

  /// How `PropertiesChanged` reports a change.
  public enum EmitsChanged: String, Sendable, Hashable, CaseIterable {
    /// With the new value.
    case `true`
    /// Without the value.
    case invalidates
    /// Not at all, because the value never changes while the object exists.
    case const
    /// Not at all, although the value may change.
    case `false`
  }

  /// The property's name.
  public var name: String
  /// Its type: a signature of exactly one complete type.
  public var type: Signature
  /// How clients may access it.
  public var access: Access
  /// How changes are reported. In XML this is the annotation `EmitsChangedSignal`, which is omitted where it equals the
  /// interface's default.
  public var emitsChanged: EmitsChanged
  /// Its other annotations.
  public var annotations: [Annotation]

  /// Creates the description of a property.
  public init(
    _ name: String, _ type: Signature, access: Access = .read, emitsChanged: EmitsChanged = .true, annotations: [Annotation] = []
  ) {
    self.name = name
    self.type = type
    self.access = access
    self.emitsChanged = emitsChanged
    self.annotations = annotations
  }
}
