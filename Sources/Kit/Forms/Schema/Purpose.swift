extension Schema {
  /// The purpose of a value, from which renderers fill it in or offer a suitable keyboard. The raw values are those of HTML's
  /// attribute `autocomplete`.
  public enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// The full name of a person.
    case name
    /// A prefix such as "Dr.".
    case honorificPrefix = "honorific-prefix"
    /// The first name.
    case givenName = "given-name"
    /// Middle names.
    case additionalName = "additional-name"
    /// The last name.
    case familyName = "family-name"
    /// A suffix such as "Jr.".
    case honorificSuffix = "honorific-suffix"
    /// A nickname.
    case nickname
    /// A log-in name.
    case username
    /// The password of a new account, or a changed one.
    case newPassword = "new-password"
    /// The password of an existing account.
    case currentPassword = "current-password"
    /// A code that is valid once.
    case oneTimeCode = "one-time-code"
    /// A job title.
    case organizationTitle = "organization-title"
    /// The name of a company or an organization.
    case organization
    /// The whole street address, on several lines.
    case streetAddress = "street-address"
    /// The first line of the street address.
    case addressLine1 = "address-line1"
    /// The second line of the street address.
    case addressLine2 = "address-line2"
    /// The third line of the street address.
    case addressLine3 = "address-line3"
    /// The smallest administrative area of four.
    case addressLevel4 = "address-level4"
    /// The smallest administrative area of three.
    case addressLevel3 = "address-level3"
    /// The city.
    case addressLevel2 = "address-level2"
    /// The state or province.
    case addressLevel1 = "address-level1"
    /// The code of a country according to ISO 3166-1, such as `DE`.
    case country
    /// The name of a country.
    case countryName = "country-name"
    /// The postal code.
    case postalCode = "postal-code"
    /// The name on a payment card.
    case cardName = "cc-name"
    /// The first name on a payment card.
    case cardGivenName = "cc-given-name"
    /// Middle names on a payment card.
    case cardAdditionalName = "cc-additional-name"
    /// The last name on a payment card.
    case cardFamilyName = "cc-family-name"
    /// The number of a payment card.
    case cardNumber = "cc-number"
    /// The month and year in which a payment card expires.
    case cardExpiry = "cc-exp"
    /// The month in which a payment card expires.
    case cardExpiryMonth = "cc-exp-month"
    /// The year in which a payment card expires.
    case cardExpiryYear = "cc-exp-year"
    /// The security code of a payment card.
    case cardSecurityCode = "cc-csc"
    /// The type of a payment card.
    case cardType = "cc-type"
    /// The currency of a payment.
    case transactionCurrency = "transaction-currency"
    /// The amount of a payment.
    case transactionAmount = "transaction-amount"
    /// A language according to BCP 47, such as `de`.
    case language
    /// The date of birth.
    case birthday = "bday"
    /// The day of the month of birth.
    case birthdayDay = "bday-day"
    /// The month of birth.
    case birthdayMonth = "bday-month"
    /// The year of birth.
    case birthdayYear = "bday-year"
    /// The gender, as free text.
    case sex
    /// A web page.
    case url
    /// A photograph.
    case photo
    /// A telephone number with the country code.
    case telephone = "tel"
    /// The country code of a telephone number.
    case telephoneCountryCode = "tel-country-code"
    /// A telephone number without the country code.
    case telephoneNational = "tel-national"
    /// The area code of a telephone number.
    case telephoneAreaCode = "tel-area-code"
    /// A telephone number without country code and area code.
    case telephoneLocal = "tel-local"
    /// The first part of a local telephone number.
    case telephoneLocalPrefix = "tel-local-prefix"
    /// The second part of a local telephone number.
    case telephoneLocalSuffix = "tel-local-suffix"
    /// An extension.
    case telephoneExtension = "tel-extension"
    /// An e-mail address.
    case email
    /// The URL of an account of instant messages.
    case instantMessage = "impp"
  }
}

extension Schema {
  /// Returns the schema of a string in a format.
  ///
  /// - Parameters:
  ///   - format: the format of the string.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - length: the allowed number of code points.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func text(
    _ format: Format, title: Text, summary: Text? = nil, length: some BoundsExpression<Int> = 0...,
    default value: String? = nil
  ) -> Schema {
    let rule = TextRule(length: length, format: format)
    return Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
  }

  /// Returns the schema of a text of several lines.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - length: the allowed number of code points, with line breaks.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func multilineText(
    title: Text, summary: Text? = nil, length: some BoundsExpression<Int> = 0..., default value: String? = nil
  ) -> Schema {
    string(title: title, summary: summary, length: length, default: value).multiline
  }

  /// Returns the schema of a day, such as `2026-07-21`.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func date(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.date, title: title, summary: summary, default: value)
  }

  /// Returns the schema of a time of day without an offset from UTC, such as `08:30`.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func time(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.localTime, title: title, summary: summary, default: value)
  }

  /// Returns the schema of a moment: a date and a time with its offset from UTC.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func dateTime(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.dateTime, title: title, summary: summary, default: value)
  }

  /// Returns the schema of a duration according to ISO 8601, such as `PT90M`.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func duration(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.duration, title: title, summary: summary, default: value)
  }

  /// Returns the schema of an IPv4 or IPv6 address. For one of them only, use ``text(_:title:summary:length:default:)``
  /// with the format ``Format/ipv4`` or ``Format/ipv6``.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func ipAddress(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.internetAddress, title: title, summary: summary, default: value)
  }

  /// Returns the schema of a host name.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func hostName(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.hostname, title: title, summary: summary, default: value)
  }

  /// Returns the schema of an absolute URL of any scheme.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func url(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.uri, title: title, summary: summary, default: value)
  }

  /// Returns the schema of a telephone number.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func telephone(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.telephone, title: title, summary: summary, default: value)
  }

  /// Returns the schema of the absolute path of a file. The file need not exist, and the path may contain `..`.
  ///
  /// - Parameters:
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  /// - Returns: the schema.
  public static func filePath(title: Text, summary: Text? = nil, default value: String? = nil) -> Schema {
    text(.filePath, title: title, summary: summary, default: value)
  }
}
