import Platform

/// The press of a button that shows another part of a list. It sends no answer: the checked rows are kept, and the page is
/// shown again.
enum ListLook: Sendable, Hashable {
  /// Search for the typed text.
  case find
  /// Clear the search.
  case clear
  /// Show another page.
  case page(Int)
  /// Show only chosen rows.
  case chosen
  /// Show all rows again.
  case all
  /// Show the same part again.
  case stay

  /// The name of all such buttons.
  static let name = "look"
  /// The name of the control with the part that the page shows.
  static let viewName = "view"

  /// Reads the press from a submitted form; nil if another button was pressed.
  init?(_ body: FormBody) {
    guard let value = body[Self.name] else { return nil }
    switch value {
    case "find": self = .find
    case "clear": self = .clear
    case "chosen": self = .chosen
    case "all": self = .all
    case "stay": self = .stay
    default:
      guard let page = value.bytes.dropping(prefix: "page/").flatMap({ Int($0) }), page > 0 else { return nil }
      self = .page(page)
    }
  }

  private var value: String {
    switch self {
    case .find: "find"
    case .clear: "clear"
    case .page(let page): "page/\(page)"
    case .chosen: "chosen"
    case .all: "all"
    case .stay: "stay"
    }
  }

  /// Returns the part of the list to show.
  ///
  /// - Parameter body: submitted names and values.
  /// - Returns: the part.
  func view(_ body: FormBody) -> ListView {
    var view = Self.view(body)
    switch self {
    case .find: view.search(for: body[ListView.Name.find] ?? "")
    case .clear: view.search(for: "")
    case .page(let page): view.page = page
    case .chosen, .all:
      view.isOnlyChosen = self == .chosen
      view.page = nil
    case .stay: break
    }
    return view
  }

  /// Returns the part that the page showed.
  static func view(_ body: FormBody) -> ListView { ListView(text: body[viewName] ?? "") }

  /// Returns the URL of a part of a list.
  static func url(of view: ListView, at path: String) -> String { Links.adding(query: view.query, to: path) }

  /// Returns the button.
  func button(id: String? = nil, look: String, title: () -> String) -> HTML {
    tag("button", .id(id), .class(look), Attribute("name", Self.name), Attribute("value", value)) { title() }
  }
}
