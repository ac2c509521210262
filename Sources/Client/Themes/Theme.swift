import ConfigurationFiles
import Glibc
import Platform

/// The look of a flow in every renderer: the provider's name and logo, colors, corners and fonts.
public struct Theme: Sendable, Hashable {
  /// The roundness of the corners of screens, buttons and fields.
  public enum Corners: String, Sendable, Hashable, CaseIterable {
    case square, slight, round
  }

  /// The name of the product or of the organization, as users know it; nil if the theme has none.
  public var name: String?
  /// The picture beside the name, or instead of it.
  public var logo: ThemeImage?
  /// The picture for a dark background; nil if the logo suits both.
  public var darkLogo: ThemeImage?
  /// The small picture in the tab of a browser.
  public var favicon: ThemeImage?
  /// The roundness of the corners.
  public var corners: Corners
  /// The families of fonts, the preferred one first. Only those that are installed on the user's machine are used.
  public var fonts: [String]
  /// The colors for a light background.
  public var light: Palette
  /// The colors for a dark background.
  public var dark: Palette

  /// The look if there is no theme.
  public static let standard = Theme()

  /// Creates a theme; without arguments, ``standard``.
  public init(
    name: String? = nil, logo: ThemeImage? = nil, darkLogo: ThemeImage? = nil, favicon: ThemeImage? = nil,
    corners: Corners = .round, fonts: [String] = [], light: Palette = .light, dark: Palette = .dark
  ) {
    self.name = name
    self.logo = logo
    self.darkLogo = darkLogo
    self.favicon = favicon
    self.corners = corners
    self.fonts = fonts
    self.light = light
    self.dark = dark
  }
}

extension Theme {
  /// The result of reading a theme file.
  public struct Reading: Sendable {
    /// The theme; ``Theme/standard`` if the file has problems, or is empty.
    public let theme: Theme
    /// The problems, each with its line.
    public let problems: [ConfigurationProblem]
  }

  /// Reads a theme file, and the pictures that it names. Blocks.
  ///
  /// - Parameter path: path of the file, which must exist.
  /// - Returns: the theme, or its problems.
  public static func read(_ path: String) -> Reading {
    var file = Configuration(ThemeKey.all, file: path)
    var pictures = Pictures(directory: path.bytes.cutLast(at: "/").map { "\($0.before)/" } ?? "")
    let theme = Theme(
      name: file[ThemeKey.name], logo: pictures.read(ThemeKey.logo, &file), darkLogo: pictures.read(ThemeKey.darkLogo, &file),
      favicon: pictures.read(ThemeKey.favicon, &file), corners: file[ThemeKey.corners], fonts: file[ThemeKey.font],
      light: PaletteReader(keys: ThemeKey.light, standard: .light).read(&file),
      dark: PaletteReader(keys: ThemeKey.dark, standard: .dark, otherAccent: file[ThemeKey.light.accent]).read(&file))
    if theme.darkLogo != nil, theme.logo == nil, !file.isSet(ThemeKey.logo) {
      file.refuse(ThemeKey.darkLogo, "there is no Logo; expected one for a light background")
    }
    return Reading(theme: file.problems.isEmpty ? theme : .standard, problems: file.problems)
  }
}

/// Reads the pictures of a theme file.
private struct Pictures {
  /// The directory of the file, with a slash at its end.
  let directory: String

  mutating func read(_ key: ConfigurationKey<String?>, _ file: inout Configuration) -> ThemeImage? {
    guard let name = file[key] else { return nil }
    do {
      guard let bytes = try ConfigurationDisk.read(name.bytes.hasPrefix("/") ? name : directory + name) else {
        file.refuse(key, "there is no such file; expected one beside the theme file, or a path that begins with /")
        return nil
      }
      return try ThemeImage(bytes)
    } catch let error as ThemeImage.Fault {
      file.refuse(key, error.description)
    } catch let error as ConfigurationDisk.Unreadable {
      file.refuse(key, "cannot be read: \(error.reason)")
    } catch {
      file.refuse(key, "\(error)")
    }
    return nil
  }
}

/// Reads the colors for a light or a dark background. The file's colors must be legible; the others are made so.
private struct PaletteReader {
  let keys: ThemeKey.Colors
  let standard: Palette
  /// The accent for the other background, used if the file contains none for this one.
  var otherAccent: RGBColor?

  func read(_ file: inout Configuration) -> Palette {
    var palette = standard
    palette.background = file[keys.background] ?? standard.background
    palette.surface = file[keys.surface] ?? standard.surface
    let pages = [(keys.surface, palette.surface), (keys.background, palette.background)]
    let text = Palette.textContrast
    palette.text = color(keys.text, or: standard.text, on: pages, text, "text needs", &file)
    palette.quietText = color(
      keys.quietText, or: isOwn(file) ? palette.text.mixed(with: palette.surface, 0.3) : standard.quietText, on: pages, text,
      "text needs", &file)
    palette.accent = color(
      keys.accent, or: otherAccent ?? standard.accent, on: [pages[0]], Palette.controlContrast, "controls need", &file)
    let hasAccent = file.isSet(keys.accent) || otherAccent != nil
    palette.link = color(
      keys.link, or: hasAccent && !palette.accent.readsAsDanger ? palette.accent : standard.link, on: pages, text, "text needs",
      &file)
    palette.error = legible(standard.error, palette)
    palette.warning = legible(standard.warning, palette)
    palette.control = standard.control.nearest(on: [palette.surface], Palette.controlContrast) ?? palette.text
    return palette
  }

  private func isOwn(_ file: Configuration) -> Bool {
    file.isSet(keys.text) || file.isSet(keys.background) || file.isSet(keys.surface)
  }

  /// Returns a color of the palette: that of the file if it is legible, or the nearest legible tone of a standard one.
  private func color(
    _ key: ConfigurationKey<RGBColor?>, or standard: RGBColor, on pages: [(key: ConfigurationKey<RGBColor?>, color: RGBColor)],
    _ ratio: Double, _ what: String, _ file: inout Configuration
  ) -> RGBColor {
    let colors = pages.map(\.color)
    guard let own = file[key] else {
      if let color = standard.nearest(on: colors, ratio) { return color }
      if let page = pages.last(where: { file.isSet($0.key) }) {
        file.refuse(
          page.key,
          "no \(key.entry.name) is legible on both \(colors.map(\.description).joined(separator: " and ")); "
            + "expected Background and Surface closer to each other")
      }
      return standard
    }
    guard let page = pages.first(where: { own.contrast(with: $0.color) < ratio }) else { return own }
    let found = own.contrast(with: page.color)
    let advice = own.nearest(on: colors, ratio).map { "the nearest tone that has it is \($0)" } ?? "no tone of it has"
    file.refuse(
      key,
      "its contrast with \(page.key.entry.name) \(page.color) is \(Self.ratio(found)), but \(what) "
        + "\(Self.ratio(ratio)); \(advice)")
    return own
  }

  /// Returns the tone of a color that is legible on the surface, also on a surface that is tinted with it.
  private func legible(_ color: RGBColor, _ palette: Palette) -> RGBColor {
    color.nearest(on: [palette.surface, palette.surface(in: color)], Palette.textContrast) ?? palette.text
  }

  /// Returns a contrast ratio in its usual notation, such as `3.2:1`. Rounded down, because 4.49 is not 4.5.
  private static func ratio(_ ratio: Double) -> String {
    let tenths = Int(ratio * 10)
    return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + ":1"
  }
}

/// The locations of theme files.
public enum ThemePlaces {
  /// The name of theme files below the directories of configurations.
  public static let name = "coordinatord/theme.conf"

  /// Returns the paths where a theme file may be, in descending precedence: below `$XDG_CONFIG_HOME`, `$XDG_CONFIG_DIRS`,
  /// `/etc`, `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`.
  ///
  /// - Parameter environment: the environment variables of the process.
  /// - Returns: the paths.
  public static func files(environment: [String: String]) -> [String] {
    let directories = BaseDirectories(environment: environment)
    var known: Set<String> = []
    return (directories.configuration + ["/etc"] + directories.data).filter { known.insert($0).inserted }.map { "\($0)/\(name)" }
  }

  /// Reads the first theme file that exists. An empty one, like a link to `/dev/null`, hides those after it. Blocks.
  ///
  /// - Parameter environment: the environment variables of the process.
  /// - Returns: the theme; ``Theme/standard`` if there is no file.
  public static func read(environment: [String: String]) -> Theme.Reading {
    guard let path = files(environment: environment).first(where: { access($0, F_OK) == 0 }) else {
      return Theme.Reading(theme: .standard, problems: [])
    }
    return Theme.read(path)
  }
}

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
