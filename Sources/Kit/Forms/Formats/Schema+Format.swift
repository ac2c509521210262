extension Schema {
  /// The format of a string. Every format but ``password`` is checked, in time linear in the length of the string.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// An e-mail address in ASCII, according to RFC 5321.
    case email
    /// A password, which renderers do not show while it is typed. Not checked.
    case password
    /// A date according to RFC 3339, such as `2026-07-21`.
    case date
    /// A time of day with its offset from UTC, according to RFC 3339, such as `08:30:00Z`.
    case time
    /// A date and time with its offset from UTC, according to RFC 3339, such as `2026-07-21T08:30:00+02:00`.
    case dateTime = "date-time"
    /// An absolute URI according to RFC 3986, with or without a fragment.
    case uri
    /// A host name in ASCII, according to RFC 1123.
    case hostname
    /// An IPv4 address such as `192.0.2.1`.
    case ipv4
    /// An IPv6 address according to RFC 4291, without a zone.
    case ipv6
    /// A UUID according to RFC 4122.
    case uuid
    /// A time of day without an offset from UTC, such as `08:30` or `08:30:00`. A name of the OpenAPI Format Registry.
    case localTime = "time-local"
    /// A duration according to ISO 8601, with the grammar of RFC 3339, such as `P1DT12H`.
    case duration
    /// An IPv4 or IPv6 address. Not a format of JSON Schema.
    case internetAddress = "ip"
    /// A telephone number as people write it, such as `+49 30 123456`. A format of early drafts of JSON Schema.
    case telephone = "phone"
    /// The absolute path of a file, such as `/etc/hosts`. Not a format of JSON Schema.
    case filePath = "file-path"

    /// Returns whether a string has the format.
    public func matches(_ text: String) -> Bool {
      switch self {
      case .email: EmailAddress.isValid(text)
      case .password: true
      case .date: InternetDate.isDate(text)
      case .time: InternetDate.isTime(text)
      case .dateTime: InternetDate.isDateTime(text)
      case .uri: ResourceIdentifier.isValid(text)
      case .hostname: HostName.isValid(Array(text.utf8)[...])
      case .ipv4: InternetAddress.isVersion4(Array(text.utf8)[...])
      case .ipv6: InternetAddress.isVersion6(Array(text.utf8)[...])
      case .uuid: UniqueIdentifier.isValid(text)
      case .localTime: InternetDate.isLocalTime(text)
      case .duration: CalendarDuration.isValid(text)
      case .internetAddress: Format.ipv4.matches(text) || Format.ipv6.matches(text)
      case .telephone: TelephoneNumber.isValid(text)
      case .filePath: FilePath.isValid(text)
      }
    }

    /// A string in this format, for hints and tests; nil for ``password``, which may be any string.
    public var example: String? {
      switch self {
      case .email: "user@example.org"
      case .password: nil
      case .date: "2026-07-21"
      case .time: "08:30:00Z"
      case .dateTime: "2026-07-21T08:30:00Z"
      case .uri: "https://example.org/"
      case .hostname: "host.example.org"
      case .ipv4: "192.0.2.1"
      case .ipv6: "2001:db8::1"
      case .uuid: "2eb8aa08-aa98-11ea-b4aa-73b441d16380"
      case .localTime: "08:30"
      case .duration: "P1DT12H"
      case .internetAddress: "192.0.2.1"
      case .telephone: "+49 30 123456"
      case .filePath: "/etc/hosts"
      }
    }

    /// The maximum length of a string in this format, in code points; nil if there is none.
    var maximumLength: Int? {
      switch self {
      case .email: 64 + 1 + 253
      case .date: 10
      case .hostname: 253
      case .ipv4: 15
      case .ipv6: 45
      case .uuid: 36
      case .telephone: TelephoneNumber.maximumLength
      case .filePath: FilePath.maximumLength
      case .internetAddress: 45
      case .password, .time, .localTime, .dateTime, .duration, .uri: nil
      }
    }

    /// The reason why a string without the format is refused, to be shown after the field's title.
    package var refusal: Text {
      switch self {
      case .email: "is not an e-mail address"
      case .password: "is not a password"
      case .date: "is not a date such as 2026-07-21"
      case .time: "is not a time with its offset from UTC, such as 08:30:00Z"
      case .dateTime: "is not a date and time with its offset from UTC, such as 2026-07-21T08:30:00Z"
      case .uri: "is not a complete address such as https://example.org/"
      case .hostname: "is not a host name such as host.example.org"
      case .ipv4: "is not an IPv4 address such as 192.0.2.1"
      case .ipv6: "is not an IPv6 address such as 2001:db8::1"
      case .uuid: "is not a UUID such as 2eb8aa08-aa98-11ea-b4aa-73b441d16380"
      case .localTime: "is not a time of day such as 08:30"
      case .duration: "is not a duration such as P1DT12H (a day and 12 hours) or PT90M (90 minutes)"
      case .internetAddress: "is not an IP address such as 192.0.2.1 or 2001:db8::1"
      case .telephone: "is not a telephone number such as +49 30 123456"
      case .filePath: "is not a full path such as /etc/hosts"
      }
    }
  }
}
