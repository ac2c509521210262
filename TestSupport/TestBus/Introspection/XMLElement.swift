/// An element of an XML document, without its text.
struct XMLElement {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// Whether the element directly contains text other than white space.
  var holdsText = false
  /// The byte offset in the document at which the element begins.
  var offset: Int

  /// Whether the name has a namespace prefix, so that the element is not part of the introspection format.
  var isForeign: Bool { name.utf8.contains(UInt8(ascii: ":")) }
}
