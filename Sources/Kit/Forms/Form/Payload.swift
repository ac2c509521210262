import Platform

/// The payload of an event, with the secrets kept apart from the other values.
public struct Payload: Sendable {
  /// The values, without those of secret fields. Contains no nulls.
  public var values: [String: JSONValue]
  /// The values of the fields that the schema declares as `writeOnly`.
  public var secrets: [String: Secret]

  /// Creates a payload, for example in a test. Null values are dropped.
  ///
  /// - Parameters:
  ///   - values: the values, by field.
  ///   - secrets: the values of secret fields, by field.
  public init(values: [String: JSONValue] = [:], secrets: [String: Secret] = [:]) {
    self.values = values.filter { !$0.value.isNull }
    self.secrets = secrets
  }

  /// The value of a field; nil if it was not filled in or is a secret field.
  public subscript(name: String) -> JSONValue? { values[name] }

  /// Returns the string in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the string, or nil if there is none.
  public func string(_ name: String) -> String? { values[name]?.string }

  /// Returns the integer in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the integer, or nil if there is none.
  public func integer(_ name: String) -> Int64? { values[name]?.integer }

  /// Returns the number in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the number, or nil if there is none.
  public func number(_ name: String) -> Double? { values[name]?.number }

  /// Returns the Boolean in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the Boolean, or nil if there is none.
  public func boolean(_ name: String) -> Bool? { values[name]?.boolean }

  /// Returns the array in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the elements, or nil if there is no array.
  public func array(_ name: String) -> [JSONValue]? { values[name]?.array }

  /// Returns the secret in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the secret, or nil if it was not filled in.
  public func secret(_ name: String) -> Secret? { secrets[name] }

  /// Returns the values, without the secrets, decoded as a type of the flow.
  ///
  /// ```swift
  /// let credentials = try event.payload.decoded(as: Credentials.self)
  /// ```
  ///
  /// - Parameter type: the type to decode.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` if the values do not match the type, for example because the schema does not require a
  ///   property of it.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONValue.object(values).decoded(as: type)
  }
}

/// A payload that does not conform to its schema. Gives the reasons, but never repeats the value of a secret field.
public struct InvalidPayload: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reasons, by field, in a form to be shown after the field's title ("must have 1 to 64 characters").
  public var fields: [String: String]

  /// Creates an error.
  ///
  /// - Parameter fields: the reasons, by field.
  public init(fields: [String: String]) { self.fields = fields }

  /// All fields and reasons, sorted by field.
  public var description: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
  }
}

/// The values of a form, as a type whose properties declare the fields.
///
/// ```swift
/// struct Account: FormValues {
///   var login: String
///   var age: Int?
///   enum Secrets: String, SecretNames { case password }
///
///   static let form = TypedForm<Account>(
///     .text(\.login, title: "Log-in name", length: 1...32),
///     .integer(\.age, title: "Age", range: 0...150),
///     .secret(.password, title: "Password"))
/// }
///
/// let screen = Screen.form("account", title: "Account", form: Form(Account.self), values: account.initialValues)
/// let account = try event.payload.decoded(as: Account.self)
/// let password = event.payload.secret(Account.Secrets.password)
/// ```
public protocol FormValues: Codable, FormProperty {
  /// The names of the secret fields, which are not properties: a ``Secret`` is never encoded. None unless declared.
  ///
  /// ```swift
  /// enum Secrets: String, SecretNames { case password }
  /// ```
  associatedtype Secrets: SecretNames = NoSecrets

  /// The form. Declare it as a `static let` where the type allows it, because creating a form checks its type. It needs a field
  /// for each property that is not optional; `validate()` refuses any other form.
  static var form: TypedForm<Self> { get }
}

extension FormValues {
  /// The values of the fields, to be shown in the form when it is presented.
  public var initialValues: [String: JSONValue] { Self.form.values(of: self) }

  /// Returns the values of the fields as an object.
  public static func formValue(of value: Self) -> JSONValue? { .object(value.initialValues) }
}

extension Form {
  /// Creates the form of a type.
  ///
  /// - Parameter type: the type whose properties declare the fields.
  public init(_ type: (some FormValues).Type) { self = type.form.form }
}

extension Schema {
  /// Returns the schema of the values of a type: of a flow's input, or of the entries of a list.
  ///
  /// - Parameter type: the type whose properties declare the fields.
  /// - Returns: the schema.
  public static func object(_ type: (some FormValues).Type) -> Schema { type.form.form.schema }
}

/// The names of the secret fields of ``FormValues``, whose values properties must not contain.
///
/// ```swift
/// enum Secrets: String, SecretNames { case password }
/// ```
public protocol SecretNames: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The names of the secret fields of a form without secret fields.
public enum NoSecrets: SecretNames {
  /// Never called, because there is no value.
  public var rawValue: String { switch self {} }

  /// Returns nil: there are no names.
  public init?(rawValue: String) { nil }
}

extension Payload {
  /// Returns the secret in a field.
  ///
  /// ```swift
  /// let password = event.payload.secret(Account.Secrets.password)
  /// ```
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the secret, or nil if it was not filled in.
  public func secret(_ name: some SecretNames) -> Secret? { secrets[name.rawValue] }
}

/// A form whose fields are properties of a type, so that a payload that conforms to the form decodes as the type.
///
/// Mistakes that the compiler cannot detect, such as a property without a field, are detected when the form is validated: see
/// ``SchemaError/Reason/unfilledProperty`` and the following cases.
public struct TypedForm<Values: FormValues>: Sendable {
  /// The form without the type. Its `validate()` also throws for mistakes in the declarations of the fields.
  public let form: Form
  private let readers: [Reader]

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: TypedField<Values>...) { self.init(fields) }

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: [TypedField<Values>]) {
    var names: [AnyKeyPath: String] = [:]
    for field in fields { if let path = field.path { names[path] = field.field.name } }
    let resolved = fields.map { field -> TypedField<Values> in
      // A property without a field is named nevertheless, so that validation refuses it by that name.
      func name(of path: PartialKeyPath<Values>) -> String { names[path] ?? PropertyName.name(of: path) ?? "" }
      var resolved = field
      let conditions = field.conditions.map { FieldCondition(name(of: $0.path), is: $0.values) }
      if !conditions.isEmpty { resolved.field = resolved.field.shown(if: conditions) }
      if let path = field.repeated { resolved.field = resolved.field.sameAs(name(of: path)) }
      return resolved
    }
    form = Form(FormProbe(resolved).fields)
    readers = fields.compactMap { field in field.read.map { Reader(name: field.field.name, read: $0) } }
  }

  /// Returns the values of the fields, to be shown in the form when it is presented.
  ///
  /// - Parameter values: the values of the properties.
  /// - Returns: the values by field, without those that are nil and those that JSON cannot represent.
  public func values(of values: Values) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for reader in readers { result[reader.name] = reader.read(values) }
    return result
  }

  /// Reads the value of one field.
  private struct Reader: Sendable {
    let name: String
    let read: @Sendable (Values) -> JSONValue?
  }
}

/// Finds the names of stored properties.
enum PropertyName {
  /// Returns the name of the property that a key path leads to.
  ///
  /// The standard library prints a key path with the names of stored properties, which it finds by their offsets.
  ///
  /// - Parameter path: the key path.
  /// - Returns: the name; nil if the key path leads to a computed property, or through more than one property.
  static func name<Root>(of path: PartialKeyPath<Root>) -> String? {
    let text = path.debugDescription
    guard let name = text.bytes.dropping(prefix: "\\\(Root.self).") else { return nil }
    // These forms are not names: `<computed …>`, `<offset …>`, `a.b`, `a?.b`, `a!`, `[0]`, `self`.
    return name.isEmpty || name == "self" || name.utf8.contains(where: { ".<>?![]".utf8.contains($0) }) ? nil : String(name)
  }
}
