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
