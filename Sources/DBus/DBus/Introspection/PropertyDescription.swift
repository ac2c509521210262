/// A property of an interface.
public struct PropertyDescription: Sendable, Hashable {
  /// What may be done with a property from outside.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    case read
    case write
    case readWrite = "readwrite"

    /// Whether `Get` and `GetAll` show it.
    public var isReadable: Bool { self != .write }
    /// Whether `Set` may change it.
    public var isWritable: Bool { self != .read }
  }

  /// How `PropertiesChanged` tells of a change.
  public enum EmitsChanged: String, Sendable, Hashable, CaseIterable {
    /// With the new value.
    case `true`
    /// Without the value.
    case invalidates
    /// Not at all, as the value never changes while the object exists.
    case const
    /// Not at all, although it may change.
    case `false`
  }

  /// Its name.
  public var name: String
  /// Its type: a signature of exactly one complete type.
  public var type: Signature
  /// What may be done with it from outside.
  public var access: Access
  /// How changes are told. In XML this is the annotation `EmitsChangedSignal`, which is left out where it says nothing new.
  public var emitsChanged: EmitsChanged
  /// Other remarks on it.
  public var annotations: [Annotation]

  /// Describes a property.
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
