import Languages
import Platform
import RendererKit

/// The paths of all pages.
public struct Links: Sendable, Hashable {
  /// The prefix of every path, without a trailing slash.
  private let base: String
  /// Whether browsers see a single flow instead of the list of all.
  var isForOneFlow: Bool
  /// Whether users can leave only by the ways that the flow itself offers.
  var isLocked = false
  /// The look of the pages, whose files they refer to.
  let look: WebLook

  /// Creates the paths below an entrance.
  ///
  /// - Parameters:
  ///   - entrance: entrance with the prefix of every path.
  ///   - isForOneFlow: whether browsers see a single flow instead of the list of all.
  ///   - look: look of the pages.
  public init(_ entrance: Entrance, isForOneFlow: Bool = false, look: WebLook = WebLook()) {
    base = "/" + entrance.prefix
    self.isForOneFlow = isForOneFlow
    self.look = look
  }

  /// The text of the link to ``home``.
  var homeTitle: String { isForOneFlow ? Text("Go to the flow").string : Text("All flows").string }

  /// The list of flows; for a single flow, it redirects to that flow.
  public var home: String { base + "/" }
  var homeEvents: String { base + "/events" }
  /// The path that starts a flow.
  public var flows: String { base + "/flows" }
  var stylesheet: String { path(of: look.stylesheet) }
  var script: String { path(of: look.script) }

  /// Returns the path of a file that pages refer to.
  func path(of asset: Asset) -> String { "\(base)/\(asset.name)" }

  /// Returns the entry URL's path, which admits one browser.
  ///
  /// - Parameter token: entry token.
  /// - Returns: the path.
  public func entry(_ token: Token) -> String { "\(home)?\(Self.tokenName)=\(token.text)" }

  /// Returns the path that a browser with a code continues to. It is below the path of the session cookie, so a browser with a
  /// session sends its cookie there.
  func entry(withCode code: String) -> String { "\(home)?\(Self.codeName)=\(code)" }

  /// Returns the path of the form for a flow's input.
  func input(of flow: String) -> String { "\(base)/new/\(PercentEncoding.encode(flow))" }

  /// Returns the path of a flow tree's current page.
  public func tree(_ tree: String) -> String { "\(base)/flows/\(PercentEncoding.encode(tree))" }

  /// Returns the path of the page that leads a phone to a tree.
  func phone(of tree: String) -> String { self.tree(tree) + "/phone" }

  func events(of tree: String) -> String { self.tree(tree) + "/events" }

  /// Returns the path of a screen.
  ///
  /// - Parameters:
  ///   - id: id of the screen.
  ///   - tree: name of the flow tree.
  /// - Returns: the path.
  public func screen(_ id: UInt64, of tree: String) -> String { "\(self.tree(tree))/screens/\(id)" }

  /// Returns the path that starts a flow again after it has ended.
  func again(after tree: String) -> String { self.tree(tree) + "/again" }

  /// Returns the path of the confirmation before leaving a screen ends the flow.
  func ending(_ id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/end" }

  /// Returns the path of the page that asks an action's question.
  ///
  /// - Parameters:
  ///   - basis: fingerprint that the press of the action's button depends on.
  ///   - action: id of the action.
  ///   - seen: revision that the user was looking at.
  ///   - id: id of the screen.
  ///   - tree: name of the flow tree.
  /// - Returns: the path.
  func asking(_ basis: String, _ action: String, seen: UInt64, on id: UInt64, of tree: String) -> String {
    "\(screen(id, of: tree))/confirm?seen=\(seen)&basis=\(basis)&event=\(PercentEncoding.encode(action))"
  }

  /// Returns the path that reports the presence of a user to the server.
  func alive(_ tree: String) -> String { self.tree(tree) + "/alive" }

  func back(from id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/back" }
  func returning(to id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/return" }
  func draft(of id: UInt64, of tree: String) -> String { screen(id, of: tree) + "/draft" }

  /// Returns the path of an accent's stylesheet.
  func accent(_ accent: Accent) -> String { "\(base)/accents/\(accent.name).css" }

  /// Returns a path with a notice for its page.
  static func adding(_ notice: PageNotice, to path: String) -> String { adding(query: "\(noticeName)=\(notice.code)", to: path) }

  /// Returns a path with a query, which may be empty. The path may already have a query.
  static func adding(query: String, to path: String) -> String {
    query.isEmpty ? path : path + (path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
  }

  /// Returns a path that leads to an element of its page.
  static func adding(_ id: String?, to path: String) -> String { id.map { "\(path)#\($0)" } ?? path }

  static let tokenName = "token"
  static let codeName = "code"
  static let noticeName = "notice"
  /// The name of the screen that a part of a list belongs to, in the URL of a tree's current page.
  static let listName = "list"
}
