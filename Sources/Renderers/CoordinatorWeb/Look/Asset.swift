import Platform
import Themes

/// A file that pages refer to. Its contents never change under its name.
struct Asset: Sendable, Hashable {
  /// The name, which contains a hash of the contents.
  let name: String
  let mediaType: String
  let bytes: [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - stem: beginning of the name.
  ///   - suffix: extension of the name, without a dot.
  ///   - mediaType: media type of the contents.
  ///   - bytes: contents.
  init(_ stem: String, _ suffix: String, _ mediaType: String, _ bytes: [UInt8]) {
    name = "\(stem)-\(Self.hash(bytes)).\(suffix)"
    self.mediaType = mediaType
    self.bytes = bytes
  }

  /// Creates the file of a theme's picture.
  init(_ stem: String, _ image: ThemeImage) {
    self.init(stem, image.format.rawValue, image.format.mediaType, image.bytes)
  }

  /// Creates the file of a drawing.
  init(_ stem: String, _ drawing: IconDrawing) {
    self.init(stem, "svg", ThemeImage.Format.svg.mediaType, Array(drawing.svg.utf8))
  }

  /// Returns whether a path may be the name of such a file. Only these files are served without a session.
  static func isName(_ name: String) -> Bool {
    let suffixes = [".css", ".js", ".svg", ".png"]
    return suffixes.contains(where: name.bytes.hasSuffix) && name.utf8.contains(UInt8(ascii: "-")) && name.utf8.count < 64
  }

  /// The response that delivers the file. Its policy disables scripts, because a picture opened directly may be an SVG with
  /// scripts.
  var response: HTTPResponse {
    var response = HTTPResponse.asset(mediaType, bytes)
    if mediaType.bytes.hasPrefix("image/") {
      response.headers.append(("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'"))
    }
    return response
  }

  /// FNV-1a, 64 bits.
  private static func hash(_ bytes: [UInt8]) -> String {
    String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}
