/// An element of an XML document, without its text.
struct XMLElement {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// Whether there is text right inside, white space not counted.
  var holdsText = false
  /// The byte of the document it begins at.
  var offset: Int

  /// Whether the name has a namespace prefix: not ours, then.
  var isForeign: Bool { name.utf8.contains(UInt8(ascii: ":")) }
}
