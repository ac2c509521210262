/// What pages are drawn with: a stylesheet and a script.
enum Assets {
  /// A file that belongs to the pages.
  enum File: Sendable, Hashable, CaseIterable {
    case stylesheet
    case script

    /// Finds the file of a name; nil if it is another one, also of another version.
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

    /// The answer to who asks for it.
    var response: HTTPResponse {
      switch self {
      case .stylesheet: .asset("text/css; charset=utf-8", PackageResources.coordinator_css)
      case .script: .asset("text/javascript; charset=utf-8", PackageResources.coordinator_js)
      }
    }
  }

  /// A number that changes with the files, so that browsers may keep them.
  static let version: String = {
    let bytes = PackageResources.coordinator_css + PackageResources.coordinator_js
    return String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }()
}
