import CoordinatorTools

/// The addresses of all pages.
public struct Links: Sendable, Hashable {
  /// What the path of every page begins with, without a slash at its end.
  private let base: String
  /// Whether browsers see one flow, and no list of all.
  let isForOneFlow: Bool

  /// The addresses below an entrance.
  ///
  /// - Parameters:
  ///   - entrance: The entrance.
  ///   - isForOneFlow: Whether browsers see one flow, and no list of all.
  public init(_ entrance: Entrance, isForOneFlow: Bool = false) {
    base = "/" + entrance.prefix
    self.isForOneFlow = isForOneFlow
  }

  /// What the link to `home` says.
  var homeTitle: String { isForOneFlow ? "To the flow" : "All flows" }

  /// The list of flows; where there is one alone, what that shows.
  public var home: String { base + "/" }
  /// Where a flow is started.
  public var flows: String { base + "/flows" }
  var stylesheet: String { "\(base)/style-\(Assets.version).css" }
  var script: String { "\(base)/script-\(Assets.version).js" }

  /// The list of flows, for somebody who has yet to be let in.
  ///
  /// - Parameter token: What lets in.
  /// - Returns: The path.
  public func entry(_ token: Token) -> String { "\(home)?\(Self.tokenName)=\(token.text)" }

  /// The form for a flow's input.
  func input(of flow: String) -> String { "\(base)/new/\(PercentEncoding.encode(flow))" }

  /// What a flow tree shows now.
  public func tree(_ tree: String) -> String { "\(base)/flows/\(PercentEncoding.encode(tree))" }

  func events(of tree: String) -> String { self.tree(tree) + "/events" }

  /// A screen of a flow tree.
  ///
  /// - Parameters:
  ///   - id: The screen's id.
  ///   - tree: The tree's name.
  /// - Returns: The path.
  public func screen(_ id: UInt64, of tree: String) -> String { "\(self.tree(tree))/screens/\(id)" }

  /// Where a flow that has ended is started once more.
  func again(after tree: String) -> String { self.tree(tree) + "/again" }

  /// Where the flow can be ended from its first screen.
  func ending(_ id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/end" }

  func back(from id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/back" }
  func returning(to id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/return" }
  func draft(of id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/draft" }

  /// The stylesheet for a screen's accent.
  func accent(_ accent: Accent) -> String { "\(base)/accents/\(accent.name).css" }

  /// The same page with something to say about it.
  static func adding(_ notice: Notice, to path: String) -> String { "\(path)?\(noticeName)=\(notice.code)" }

  static let tokenName = "token"
  static let noticeName = "notice"
}
