/// The static files of all pages: a stylesheet and a script, each made of several sources.
enum Assets {
  /// A static file.
  enum File: Sendable, Hashable, CaseIterable {
    case stylesheet
    case script

    /// Finds the file with a name; nil if there is none, or if the name is that of another version.
    init?(name: String) {
      guard let file = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = file
    }

    private var name: String {
      switch self {
      case .stylesheet: "style-\(Assets.version).css"
      case .script: "script-\(Assets.version).js"
      }
    }

    /// The response that delivers the file.
    var response: HTTPResponse {
      switch self {
      case .stylesheet: .asset("text/css; charset=utf-8", Assets.styles)
      case .script: .asset("text/javascript; charset=utf-8", Assets.scripts)
      }
    }
  }

  /// The sources of the stylesheet, in order.
  private static let styles = PackageResources.coordinator_css + PackageResources.lists_css
  /// The sources of the script, in order; the first one defines what the others use.
  private static let scripts =
    PackageResources.coordinator_js + PackageResources.lists_js + PackageResources.keys_js + PackageResources.fields_js

  /// A hash of the files (FNV-1a, 64 bits), part of their names, so that browsers may cache them indefinitely.
  static let version = String(
    (styles + scripts).reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
}
