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
