import Forms
import Testing

@Suite("Formats of strings", .timeLimit(.minutes(5)))
struct FormatTests {
  @Test("A format's example has the format", arguments: Schema.Format.allCases)
  func exampleHasTheFormat(format: Schema.Format) {
    if let example = format.example { #expect(format.matches(example)) }
    #expect((format.example == nil) == (format == .password))
  }

  @Test("Rule 7: A string without the format of its field is refused with a reason that does not repeat it")
  func stringWithoutFormatIsRefused() {
    for format in Schema.Format.allCases where format != .password {
      let schema = Schema(.text(.init(format: format)), title: "X")
      let reason = SchemaCheckTests.reason(schema, "no such thing")
      #expect(reason?.hasPrefix("is not a") == true, "\(format)")
      #expect(reason?.contains("no such thing") == false)
      #expect(SchemaCheckTests.reason(schema, 1) == "must be text")
      // Neither an empty string nor one with a line break, a NUL or another alphabet's digits has any format.
      for text in ["", "\n", "\0"] + [format.example.map { $0 + "\n" }, format.example.map { $0 + "\0" }].compactMap(\.self) {
        #expect(!format.matches(text), "\(format)")
      }
    }
  }

  @Test("A long string is checked in linear time", arguments: Schema.Format.allCases)
  func longStringIsCheckedInLinearTime(format: Schema.Format) {
    for part in ["a", "1", ":", ".", "@", "%41", "[", "\"", "1:", "http://", "\\", "2026-"] {
      _ = format.matches(String(repeating: part, count: 200_000))
    }
  }

  @Test(
    "A valid e-mail address is accepted",
    arguments: [
      "joe.bloggs@example.com", "te~st@example.com", "~test@example.com", "test~@example.com", "te.s.t@example.com",
      "\"joe bloggs\"@example.com", "\"joe@bloggs\"@example.com", "\"a\\\"b\"@example.com", "a@localhost", "a+b@x-y.org",
      "a@[192.0.2.1]", "a@[IPv6:2001:db8::1]", "a@[ipv6:::]",
    ])
  func validEmailAddressIsAccepted(address: String) { #expect(Schema.Format.email.matches(address)) }

  @Test(
    "A string that is not an e-mail address is refused",
    arguments: [
      "", "2962", "@", "a@", "@b", ".test@example.com", "test.@example.com", "te..st@example.com", "a@b..c", "a@-b.c", "a@b-.c",
      "a b@example.com", "a@b c", "joe.bloggs@invalid=domain.com", "\"a\"b\"@example.com", "\"a\\\"@example.com",
      "a@b\n", "ä@b.c", "a@[192.0.2.256]", "a@[2001:db8::1]", "a@[IPv6\u{1A}::1]", "a@[IPv6:]", "a@[", "a@[]",
      String(repeating: "a", count: 65) + "@b.c", "a@" + String(repeating: "b", count: 64) + ".c",
      "a@" + String(repeating: "b.", count: 127) + "c",
    ])
  func invalidEmailAddressIsRefused(address: String) { #expect(!Schema.Format.email.matches(address)) }

  @Test("A date is a day of the Gregorian calendar")
  func dateIsADayOfTheCalendar() {
    for text in ["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31", "2026-04-30"] {
      #expect(Schema.Format.date.matches(text))
    }
    for text in [
      "2023-02-29", "1900-02-29", "2026-04-31", "2026-00-01", "2026-13-01", "2026-01-00", "2026-1-1", "20260101", "2026-W01-1",
      "+2026-01-01", "2026-01-01Z", "2026-01-0１",
    ] { #expect(!Schema.Format.date.matches(text), "\(text)") }
  }

  @Test("A leap second is valid only at the end of a month in UTC")
  func leapSecondIsValidAtTheEndOfAMonth() {
    let format = Schema.Format.dateTime
    for text in [
      "1998-12-31T23:59:60Z", "1998-12-31T15:59:60-08:00", "1999-01-01T00:59:60.5+01:00", "1999-01-01T08:59:60+09:00",
      "2024-02-29T23:59:60z", "2024-02-29t00:59:59+23:59", "2016-06-29T23:59:59-00:00",
    ] { #expect(format.matches(text), "\(text)") }
    for text in [
      "1998-12-30T23:59:60Z", "1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z", "1998-12-31T08:59:60+09:00",
      "2023-02-28T00:59:60+01:00", "1998-12-31 23:59:59Z", "1998-12-31T23:59:59", "1998-12-31T23:59:59.Z", "1998-12-31T24:00:00Z",
      "1998-12-31T23:59:59+24:00", "1998-12-31T23:59:59+0100", "1998-12-31T23:59:59+01:60",
    ] { #expect(!format.matches(text), "\(text)") }
    // UTC is on the last day of the month when the local date is one day before it.
    #expect(format.matches("1998-12-30T23:59:60-24:00") == false)
    #expect(format.matches("1998-12-30T23:59:59-23:59"))
  }

  @Test("A URI is absolute, and its parts contain only the characters that RFC 3986 allows in them")
  func uriPartsContainAllowedCharacters() {
    for text in [
      "a:", "a:b", "urn:x:y", "http://", "http://h", "http://h:", "http://h:80/", "http://u:p@h/", "http://[::1]:80/?a=/?#b/?",
      "http://[v1.a:b]/", "file:///etc/passwd", "a:/b", "a:%2F", "http://h?q", "http://h#f", "http://a%40b@h/", "a+b-c.1:x",
      "http://1.2.3.4.5/",
    ] { #expect(Schema.Format.uri.matches(text), "\(text)") }
    for text in [
      ":", "a", "1a:b", "a b:c", "http://h /", "http://h:8a/", "http://[::1", "http://::1]/", "http://[1.2.3.4]/",
      "http://[v1.]/",
      "a:%2", "a:%2g", "a:[", "http://h/[", "http://h#a#b", "http://h/\"", "http://h/ä", "http://u@v@h/", "http://h\\x", "a:{b}",
    ] { #expect(!Schema.Format.uri.matches(text), "\(text)") }
  }

  @Test("Host names, IP addresses and UUIDs have exactly the parts that they need")
  func addressesHaveTheirParts() {
    #expect(Schema.Format.hostname.matches(String(repeating: "a.", count: 126) + "a"))
    for text in [String(repeating: "a.", count: 127) + "a", "a.", ".a", ".", "a..b", "a_b", "ä", "-a", "a-"] {
      #expect(!Schema.Format.hostname.matches(text), "\(text)")
    }
    for text in ["1.2.3", "1.2.3.4.", "1.2.3.04", "1.2.3.256", "1.2.3.0000", "1.2.3.+4"] {
      #expect(!Schema.Format.ipv4.matches(text), "\(text)")
    }
    for text in ["1::", "::1:2:3:4:5:6:7", "1:2:3:4:5:6:1.2.3.4", "::1.2.3.4", "1:2:3:4:5::1.2.3.4"] {
      #expect(Schema.Format.ipv6.matches(text), "\(text)")
    }
    for text in [
      "1:2:3:4:5:6:7::8", "1:2:3:4:5:6::1.2.3.4", ":", ":::", "1:", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:1", "1%lo", "g::",
    ] {
      #expect(!Schema.Format.ipv6.matches(text), "\(text)")
    }
    #expect(!Schema.Format.uuid.matches("2eb8aa08-aa98-11ea-b4aa-73b441d163800"))
    #expect(!Schema.Format.uuid.matches("{2eb8aa08-aa98-11ea-b4aa-73b441d16380}"))
  }

  @Test("A time of day has no offset, and may lack its seconds")
  func localTimeHasNoOffset() {
    for text in ["08:30", "00:00", "23:59", "08:30:59", "08:30:00.25"] {
      #expect(Schema.Format.localTime.matches(text), "\(text)")
    }
    for text in ["8:30", "24:00", "08:60", "08:30:60", "08:30Z", "08:30:", "08:30:00.", "08:30:00+01:00", "0830", "08"] {
      #expect(!Schema.Format.localTime.matches(text), "\(text)")
    }
  }

  @Test("A duration has units in order and without gaps, or weeks alone")
  func durationHasUnitsInOrder() {
    for text in [
      "P1Y2M3DT4H5M6S", "P1Y", "P2M", "P3D", "P2M3D", "PT4H", "PT5M", "PT6S", "PT5M6S", "P1DT12H", "P2W", "P0D", "P0010D",
    ] {
      #expect(Schema.Format.duration.matches(text), "\(text)")
    }
    for text in [
      "P", "PT", "P1", "1D", "P1YT", "P1D1Y", "P1Y1D", "PT1H1S", "P1W1D", "P1D1W", "PT1D", "P1H", "P1.5D", "-P1D", "p1d",
    ] {
      #expect(!Schema.Format.duration.matches(text), "\(text)")
    }
  }

  @Test("A telephone number has 3 to 15 digits with separators between them")
  func telephoneNumberHasDigits() {
    for text in ["112", "+49 30 123456", "(030) 123-456", "030/123456", "030 / 12 34", "+1 (555) 123.4567", "555 (12)"] {
      #expect(Schema.Format.telephone.matches(text), "\(text)")
    }
    for text in [
      "12", "+", "++49 30", "49+30123", "030 ", " 030", "(030", "030)", "()030", "((030))", "1234567890123456", "03O 123", "-030",
      "123" + String(repeating: " ", count: 60) + "4",
    ] { #expect(!Schema.Format.telephone.matches(text), "\(text)") }
  }

  @Test("A file path is absolute, and short enough for Linux")
  func filePathIsAbsolute() {
    for text in ["/", "/etc/hosts", "/a//b/", "/a/../b", "/größe", "/" + String(repeating: "a", count: 255)] {
      #expect(Schema.Format.filePath.matches(text), "\(text)")
    }
    for text in [
      "etc", "~/x", "./x", "/a\tb", "/a\u{7F}", "/" + String(repeating: "a", count: 256), String(repeating: "/ab", count: 1366),
    ] { #expect(!Schema.Format.filePath.matches(text), "\(text)") }
  }

  @Test("Each builder of a text has its format")
  func buildersHaveFormats() throws {
    let formats: [(Schema, Schema.Format?)] = [
      (.date(title: "X"), .date), (.time(title: "X"), .localTime), (.dateTime(title: "X"), .dateTime),
      (.duration(title: "X"), .duration), (.ipAddress(title: "X"), .internetAddress), (.hostName(title: "X"), .hostname),
      (.url(title: "X"), .uri), (.telephone(title: "X"), .telephone), (.filePath(title: "X"), .filePath),
      (.multilineText(title: "X"), nil), (.text(.ipv4, title: "X"), .ipv4), (.text(.ipv6, title: "X"), .ipv6),
    ]
    for (schema, format) in formats {
      #expect(schema.rule == .text(.init(format: format)))
      try Form(Field("x", schema)).validate()
    }
  }
}
