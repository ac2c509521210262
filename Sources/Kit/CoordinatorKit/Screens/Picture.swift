/// A picture on a screen: an image or a QR code.
public enum Picture: Sendable, Hashable {
  /// An image, with a description for users who cannot see it.
  case image(Image, description: String)
  /// A QR code. Renderers that cannot draw one show the text.
  case code(String)

  /// The bytes of an image.
  public struct Image: Sendable, Hashable {
    /// The formats that renderers know; the raw values are media types.
    public enum Format: String, Sendable, Hashable, CaseIterable {
      /// Portable Network Graphics, for drawings and screenshots.
      case png = "image/png"
      /// JPEG, for photographs.
      case jpeg = "image/jpeg"
    }

    /// The largest number of bytes.
    public static let maxSize = 256 << 10

    /// The format.
    public let format: Format
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates an image. The bytes are not decoded; only their beginning is compared with that of each format.
    ///
    /// The result is nil if they are not in a known format, or are more than ``maxSize``.
    ///
    /// - Parameter bytes: the contents of an image file.
    public init?(_ bytes: [UInt8]) {
      guard bytes.count <= Self.maxSize else { return nil }
      if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
        format = .png
      } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
        format = .jpeg
      } else {
        return nil
      }
      self.bytes = bytes
    }
  }
}
