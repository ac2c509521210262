import Platform

/// A picture of a theme: the bytes of a file.
public struct ThemeImage: Sendable, Hashable {
  /// The formats that all browsers draw.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case svg, png

    /// The media type.
    public var mediaType: String { self == .svg ? "image/svg+xml" : "image/png" }
  }

  /// The reason why bytes are not a valid picture for a theme.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    /// The problem, and its remedy.
    public let description: String
  }

  /// The format.
  public let format: Format
  /// The contents of the file.
  public let bytes: [UInt8]

  /// The maximum size of a picture, in bytes.
  public static let maximumSize = 128 << 10

  /// Checks the contents of a file. The drawing in an SVG is not checked: renderers must load it as a picture, never as a part
  /// of a page.
  ///
  /// - Parameter bytes: contents of the file.
  /// - Throws: ``Fault``.
  public init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.maximumSize else {
      throw Fault(description: "the picture is larger than \(Self.maximumSize >> 10)K; expected a smaller one")
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      format = .png
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      throw Fault(description: "the picture is compressed; expected an SVG that is plain text: gunzip it")
    } else if let text = String(validating: bytes, as: UTF8.self),
      Substring(text.unicodeScalars.prefix(4096)).bytes.contains("<svg")
    {
      format = .svg
    } else {
      throw Fault(description: "this is neither an SVG nor a PNG; expected a file in one of these formats")
    }
    self.bytes = bytes
  }
}
