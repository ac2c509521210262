import Forms
import Testing

@Suite("Mistakes in forms of a type", .timeLimit(.minutes(5)))
struct TypedFormMistakeTests {
  static func mistake(_ type: (some FormValues).Type) -> SchemaError? {
    #expect(throws: SchemaError.self) { try Form(type).validate() }
  }

  private struct Unfilled: FormValues {
    var login: String
    var email: String
    static let form = TypedForm<Unfilled>(.text(\.login, title: "L"))
  }

  private struct Left: FormValues {
    var login: String
    static let form = TypedForm<Left>(.text(\.login, title: "L").optional)
  }

  private struct Hidden: FormValues {
    var size: Size
    var login: String
    static let form = TypedForm<Hidden>(
      .choice(\.size, title: "S"), .text(\.login, title: "L").shown(if: \.size, is: .large))
  }

  @Test("A property that is not optional needs a field that every payload has")
  func unfilledPropertyIsRefused() {
    #expect(Self.mistake(Unfilled.self) == SchemaError(at: "/properties/email", .unfilledProperty))
    #expect(Self.mistake(Left.self) == SchemaError(at: "/properties/login", .unfilledProperty))
    #expect(Self.mistake(Hidden.self) == SchemaError(at: "/properties/login", .unfilledProperty))
    // The schema alone, for example of a flow's input, is refused too.
    #expect(throws: SchemaError(at: "/properties/email", .unfilledProperty)) { try Schema.object(Unfilled.self).validate() }
  }

  private struct Renamed: FormValues {
    var login: String
    enum CodingKeys: String, CodingKey { case login = "name" }
    static let form = TypedForm<Renamed>(.text(\.login, title: "L"))
  }

  private struct Uncoded: FormValues {
    var login: String?
    var note: String? = nil
    enum CodingKeys: String, CodingKey { case login }
    static let form = TypedForm<Uncoded>(.text(\.login, title: "L"), .text(\.note, title: "N"))
  }

  @Test("A field needs the name under which its type decodes and encodes the property")
  func uncodedPropertyIsRefused() {
    #expect(Self.mistake(Renamed.self) == SchemaError(at: "/properties/name", .unfilledProperty))
    #expect(Self.mistake(Uncoded.self) == SchemaError(at: "/properties/note", .uncodedProperty))
  }

  private struct Computed: FormValues {
    var login: String
    var upper: String { login.uppercased() }
    static let form = TypedForm<Computed>(.text(\.upper, title: "L"))
  }

  private struct Deep: FormValues {
    var login: String
    static let form = TypedForm<Deep>(.integer(\.login.count, title: "L"))
  }

  @Test("A key path that leads to no stored property is refused")
  func computedPropertyIsRefused() {
    #expect(Self.mistake(Computed.self)?.reason == .unnamedProperty)
    #expect(Self.mistake(Deep.self)?.reason == .unnamedProperty)
  }

  private struct Mistyped: FormValues {
    var login: String
    var tags: [String]?
    static let form = TypedForm<Mistyped>(
      TypedField(\.login, .string(title: "L")), TypedField(\.tags, .integer(title: "T")))
  }

  @Test("A schema whose values do not decode as the property is refused")
  func mistypedPropertyIsRefused() {
    #expect(Self.mistake(Mistyped.self) == SchemaError(at: "/properties/tags", .mistypedProperty))
  }

  private struct Undeclared: FormValues {
    var login: String
    enum Secrets: String, SecretNames { case password }
    static let form = TypedForm<Undeclared>(.text(\.login, title: "L"))
  }

  private struct Nesting: FormValues {
    var entries: [Undeclared2]
    struct Undeclared2: FormValues {
      var login: String
      enum Secrets: String, SecretNames { case password }
      static let form = TypedForm<Undeclared2>(.text(\.login, title: "L"), .secret(.password, title: "P"))
    }
    static let form = TypedForm<Nesting>(.objects(\.entries, title: "E"))
  }

  private struct Recursive: FormValues {
    var entries: [Recursive]
    static let form = TypedForm<Recursive>(.objects(\.entries, title: "E"))
  }

  private struct Twice: FormValues {
    var login: String
    static let form = TypedForm<Twice>(.text(\.login, title: "L"), .text(\.login, title: "M"))
  }

  @Test("A secret without a field, a secret in a list, a list of lists, and a property with two fields are refused")
  func otherMistakesAreRefused() {
    #expect(Self.mistake(Undeclared.self) == SchemaError(at: "/properties/password", .undeclaredSecret))
    #expect(Self.mistake(Nesting.self) == SchemaError(at: "/properties/entries/items/properties/password", .badSecret))
    #expect(Self.mistake(Recursive.self) == SchemaError(at: "/properties/entries", .unsupportedType))
    #expect(Self.mistake(Twice.self) == SchemaError(at: "/properties", .duplicateProperty("login")))
  }

  private enum Only: String, Codable, CaseIterable, MenuChoice {
    case one
    var title: Text { "One" }
  }

  // The standard library prints each key path to a property at offset 0 as the first of them.
  private struct Sizeless: FormValues {
    var only: Only
    var login: String
    static let form = TypedForm<Sizeless>(.choice(\.only, title: "O"), .text(\.login, title: "L"))
  }

  private struct Mistaken: FormValues {
    var only: Only
    var login: String
    static let form = TypedForm<Mistaken>(.text(\.login, title: "L"))
  }

  private struct Lost: FormValues {
    var only = Only.one
    var login: String?
    private enum CodingKeys: String, CodingKey { case login }
    static let form = TypedForm<Lost>(.text(\.login, title: "L"))
  }

  private struct Explicit: FormValues {
    var only: Only
    var login: String
    static let form = TypedForm<Explicit>(
      .choice(\.only, title: "O", name: "only"), .text(\.login, title: "L", name: "login"))
  }

  @Test("A name that the standard library mistakes for that of a property without a size is found, and can be given")
  func mistakenNameIsFound() throws {
    #expect(Self.mistake(Sizeless.self) != nil)
    #expect(Self.mistake(Mistaken.self) == SchemaError(at: "/properties/only", .mistypedProperty))
    #expect(Self.mistake(Lost.self) == SchemaError(at: "/properties/only", .uncodedProperty))
    try Form(Explicit.self).validate()
    #expect(Form(Explicit.self).order == ["only", "login"])
  }

  private struct Trapping: FormValues {
    var code: String
    var size: Size
    var note: String?

    static let form = TypedForm<Trapping>(
      .text(\.code, title: "C", length: 4..., pattern: "^[0-9]+$"), .choice(\.size, title: "S"),
      .text(\.note, title: "N", length: 1...).shown(if: \.size, is: .large))

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      code = try container.decode(String.self, forKey: .code)
      size = try container.decode(Size.self, forKey: .size)
      note = try container.decodeIfPresent(String.self, forKey: .note)
      precondition(code.count >= 4 && code.allSatisfy(\.isNumber))
      precondition((note != nil) == (size == .large))
    }
  }

  private struct Unguessable: FormValues {
    var code: String
    var other: Int
    static let form = TypedForm<Unguessable>(.text(\.code, title: "C", pattern: "^tea-[0-9]$"))
  }

  private struct Guessable: FormValues {
    var code: String
    var other: Int
    static let form = TypedForm<Guessable>(.text(\.code, title: "C", pattern: "^tea-[0-9]$").example("tea-1"))
  }

  @Test("A type is tried only with payloads that its form accepts, and not at all if none can be guessed")
  func typeIsTriedWithValidPayloads() throws {
    try Form(Trapping.self).validate()
    try Form(Unguessable.self).validate()
    #expect(Self.mistake(Guessable.self) == SchemaError(at: "/properties/other", .unfilledProperty))
  }

  private struct Late: FormValues {
    var size: Size
    var note: String?
    var more: String?
    enum CodingKeys: String, CodingKey { case size, note }
    static let form = TypedForm<Late>(
      .choice(\.size, title: "S"), .text(\.note, title: "N").shown(if: \.size, is: .large),
      .text(\.more, title: "M").shown(if: \.note, is: "x"))
  }

  @Test("A mistake in a field that is shown at times is found")
  func mistakeInConditionalFieldIsFound() {
    #expect(Self.mistake(Late.self) == SchemaError(at: "/properties/more", .uncodedProperty))
  }

  private struct Picky: FormValues {
    var login: String
    static let form = TypedForm<Picky>(.text(\.login, title: "L"))

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      login = try container.decode([String: String].self)["login"] ?? ""
      guard login.count > 5 else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "too short"))
      }
    }
  }

  @Test("A type that refuses the samples for its own reason is not judged")
  func pickyTypeIsNotJudged() throws {
    try Form(Picky.self).validate()
  }
}
