import Forms

enum Size: String, Codable, CaseIterable, MenuChoice {
  case small, large
  var title: Text { self == .small ? "Small" : "Large" }
}

/// A form with every kind of property.
struct Account: FormValues, Equatable {
  var login: String
  var age: Int?
  var ratio: Double?
  var news: Bool
  var size: Size
  var port: UInt16
  var tags: [String]
  var sizes: [Size]?
  var addresses: [Address]
  var phone: String?

  struct Address: FormValues, Equatable {
    var ip: String
    var prefix: Int?

    static let form = TypedForm<Address>(
      .text(\.ip, title: "Address", format: .internetAddress), .integer(\.prefix, title: "Prefix", range: 0...128))
  }

  enum Secrets: String, SecretNames { case password, pin }

  private enum CodingKeys: String, CodingKey {
    case login, age, ratio, news, size, port, tags, sizes, addresses
    case phone = "telephone"
  }

  static let form = TypedForm<Account>(
    .text(\.login, title: "Log-in name", length: 1...32).meant(for: .username).example("ada").explained("Use small letters"),
    .integer(\.age, title: "Age", range: 0...150),
    .number(\.ratio, title: "Ratio", range: 0...1),
    .boolean(\.news, title: "News"),
    .choice(\.size, title: "Size"),
    .integer(\.port, title: "Port", range: 1...),
    .texts(\.tags, title: "Tags", count: ...3, isUnique: true, length: 1...8),
    .choices(\.sizes, title: "Sizes"),
    .objects(\.addresses, title: "Addresses", count: ...2),
    .text(\.phone, title: "Telephone", format: .telephone, name: "telephone"),
    .secret(.password, title: "Password", length: 1...128).revealable,
    .secret(.pin, title: "PIN").optional)

  static let sample = Account(
    login: "ada", age: 36, ratio: nil, news: true, size: .large, port: 8080, tags: ["a"], sizes: [.small],
    addresses: [Address(ip: "::1", prefix: nil)], phone: "112")
}

/// A form with conditional fields.
struct Network: FormValues, Equatable {
  enum Security: String, Codable, CaseIterable, MenuChoice {
    case open, wpa, enterprise
    var title: Text { Text(verbatim: rawValue) }
  }

  enum Secrets: String, SecretNames { case passphrase }

  var security: Security
  var identity: String?
  var domain: String?

  static let form = TypedForm<Network>(
    .choice(\.security, title: "Security"),
    .text(\.identity, title: "Identity").shown(if: \.security, is: .enterprise),
    .text(\.domain, title: "Domain").shown(if: \.identity, is: "ada", "bob").optional,
    .secret(.passphrase, title: "Passphrase").shown(if: \.security, is: .wpa, .enterprise))
}
