import Platform

/// The keywords of JSON Schema 2020-12.
enum Keyword {
  /// The only supported value of `$schema`.
  static let dialect: JSONValue = "https://json-schema.org/draft/2020-12/schema"

  static let examples = "examples"
  /// The conditions under which a field is shown.
  static let shownIf = "x-shown-if"
  /// Whether a field with conditions is required if it is shown.
  static let requiredIfShown = "x-required-if-shown"
  /// The text for a broken rule.
  static let message = "x-message"
  static let purpose = "x-purpose"
  static let unit = "x-unit"
  static let multiline = "x-multiline"
  static let revealable = "x-revealable"

  /// Returns whether a keyword describes a schema without constraining it. Such keywords are stored and encoded again.
  static func isAnnotation(_ name: String) -> Bool {
    annotations.contains(name) || name.bytes.hasPrefix("x-") || name.bytes.hasPrefix("ui:")
  }

  /// Returns whether JSON Schema 2020-12 defines a keyword with this name; other names may be misspelled.
  static func isStandard(_ name: String) -> Bool { annotations.contains(name) || assertions.contains(name) }

  /// The keywords that require a `type` in the same schema.
  static let typed: Set = [
    "additionalProperties", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maximum",
    "minItems", "minLength", "minimum", "pattern", "properties", "required", "uniqueItems",
  ]

  /// The content vocabulary is among the annotations, because it asserts nothing in 2020-12 (section 8.2).
  private static let annotations: Set = [
    "$schema", "$id", "$comment", examples, "deprecated", "readOnly", "contentEncoding", "contentMediaType", "contentSchema",
  ]

  private static let assertions: Set = [
    "$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$ref", "$vocabulary", "additionalProperties", "allOf", "anyOf",
    "const", "contains", "default", "dependentRequired", "dependentSchemas", "description", "else", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties",
    "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
    "patternProperties", "prefixItems", "properties", "propertyNames", "required", "then", "title", "type",
    "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly",
  ]
}
