import Themes

/// The name and the logo of the provider of the flows.
struct BrandMarkup: Sendable {
  let look: WebLook
  let links: Links

  /// The markup; nil if the theme has neither. A logo beside the name adds no information, so it has no text.
  var html: HTML? {
    guard look.logo != nil || look.theme.name != nil else { return nil }
    return group {
      if let logo = look.logo {
        tag("picture") {
          if let dark = look.darkLogo {
            void("source", Attribute("srcset", links.path(of: dark)), Attribute("media", "(prefers-color-scheme: dark)"))
          }
          void(
            "img", .class("logo"), Attribute("src", links.path(of: logo)), Attribute("alt", look.theme.name == nil ? "Logo" : ""))
        }
      }
      if let name = look.theme.name { tag("span", .class("brand-name"), Attribute("dir", "auto")) { name } }
    }
  }
}
