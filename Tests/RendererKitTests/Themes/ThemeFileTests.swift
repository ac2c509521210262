import Foundation
import Testing

@testable import Themes

@Suite final class `A theme file` {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("themes-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let url = URL(fileURLWithPath: "\(root)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Reads a theme file with the given lines.
  private func read(_ lines: String...) throws -> Theme.Reading {
    try write((["[Theme]"] + lines).joined(separator: "\n").utf8, to: "theme.conf")
    return Theme.read("\(root)/theme.conf")
  }

  private func problems(_ lines: String...) throws -> [String] {
    try write((["[Theme]"] + lines).joined(separator: "\n").utf8, to: "theme.conf")
    return Theme.read("\(root)/theme.conf").problems.map { $0.description.replacing(root + "/", with: "") }
  }

  @Test func `without values is the standard look`() throws {
    let reading = try read()
    #expect(reading.theme == .standard)
    #expect(reading.problems.isEmpty)
  }

  @Test func `gives a name, pictures, fonts, corners and colors`() throws {
    try write("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8, to: "logo.svg")
    try write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "icon.png")
    let reading = try read(
      "Name=Kaffee & Söhne", "Logo=logo.svg", "Favicon=\(root)/icon.png", "Corners=square", "Font=\"Inter\", Noto Sans,serif",
      "Accent=#00695c", "AccentDark=#4db6ac")
    #expect(reading.problems.map(\.description) == [])
    let theme = reading.theme
    #expect(theme.name == "Kaffee & Söhne")
    #expect(theme.logo?.format == .svg)
    #expect(theme.favicon?.format == .png)
    #expect(theme.corners == .square)
    #expect(theme.fonts == ["Inter", "Noto Sans", "serif"])
    #expect(theme.light.accent == RGBColor("#00695c"))
    #expect(theme.dark.accent == RGBColor("#4db6ac"))
    #expect(theme.light.link == theme.light.accent)
  }

  @Test func `names the two colors, their contrast, and the nearest tone that passes`() throws {
    #expect(
      try problems("Accent=#ffcc00") == [
        "theme.conf:2: Accent=#ffcc00: its contrast with Surface #ffffff is 1.5:1, but controls need 3:1; "
          + "the nearest tone that has it is #b49000"
      ])
    #expect(
      try problems("Background=#101010", "Surface=#222222", "Text=#333333") == [
        "theme.conf:4: Text=#333333: its contrast with Surface #222222 is 1.2:1, but text needs 4.5:1; "
          + "the nearest tone that has it is #898989"
      ])
  }

  @Test func `whose colors pass nowhere says so`() throws {
    #expect(try problems("Surface=#ffffff", "Background=#000000", "Text=#777777").count >= 1)
    let found = try problems("Surface=#ffffff", "Background=#333333")
    #expect(found.contains { $0.contains("Background=#333333: no QuietText is legible on both #ffffff and #333333") })
  }

  @Test(arguments: [
    ("Accent=blue", "Accent=blue: expected a color such as #2f5bd3"),
    ("Acent=#000000", "unknown key Acent in [Theme]; did you mean Accent?"),
    ("Corners=pointed", "Corners=pointed: expected one of square, slight, round"),
    ("Font=Inter; } body { color: red", "expected the names of font families that are installed, separated by commas"),
    ("Font=url(https://example.com/f.woff)", "expected the names of font families"),
    ("Logo=missing.svg", "Logo=missing.svg: there is no such file; expected one beside the theme file"),
    ("Logo=broken.svg", "Logo=broken.svg: this is neither an SVG nor a PNG"),
    ("Logo=packed.svg", "Logo=packed.svg: the picture is compressed"),
    ("Logo=large.svg", "Logo=large.svg: the picture is larger than 128K"),
    ("Logo=.", "Logo=.: cannot be read: it is not a regular file"),
    ("LogoDark=good.svg", "LogoDark=good.svg: there is no Logo"),
  ])
  func `with a mistake names the file, the line, and what to do`(line: String, message: String) throws {
    try write("GIF89a".utf8, to: "broken.svg")
    try write([0x1F, 0x8B, 8], to: "packed.svg")
    try write("<svg>".utf8 + [UInt8](repeating: 0x20, count: 200_000), to: "large.svg")
    try write("<svg/>".utf8, to: "good.svg")
    let found = try problems("Name=Shop", line)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("theme.conf:3: ") == true)
    #expect(found.first?.contains(message) == true)
    #expect(Theme.read("\(root)/theme.conf").theme == .standard)
  }

  @Test func `is legible whatever background is chosen, if it is read at all`() throws {
    var count = 0
    for gray in stride(from: UInt32(0), through: 255, by: 17) {
      let page = RGBColor(gray << 16 | gray << 8 | gray)
      let reading = try read("Surface=\(page)", "Background=\(page)", "SurfaceDark=\(page)", "BackgroundDark=\(page)")
      #expect(reading.problems.isEmpty)
      for palette in [reading.theme.light, reading.theme.dark] {
        count += 1
        #expect(palette.surface == page)
        for color in [palette.text, palette.quietText, palette.link, palette.error, palette.warning] {
          #expect(color.contrast(with: page) >= 4.5)
        }
        #expect(palette.accent.contrast(with: page) >= 3)
        #expect(palette.control.contrast(with: page) >= 3)
      }
    }
    #expect(count == 32)
  }

  @Test func `is looked for where users, administrators and packages put it`() throws {
    let places = ThemePlaces.files(environment: [
      "XDG_CONFIG_HOME": "\(root)/own", "XDG_CONFIG_DIRS": "\(root)/site", "XDG_DATA_HOME": "\(root)/share",
      "XDG_DATA_DIRS": "\(root)/package/:relative",
    ])
    #expect(
      places
        == ["\(root)/own", "\(root)/site", "/etc", "\(root)/share", "\(root)/package"].map { "\($0)/coordinatord/theme.conf" })
    let environment = ["XDG_CONFIG_HOME": "\(root)/own", "XDG_CONFIG_DIRS": "\(root)/site", "XDG_DATA_DIRS": "\(root)/package"]
    try write("[Theme]\nName=Package".utf8, to: "package/coordinatord/theme.conf")
    try write("[Theme]\nName=Site".utf8, to: "site/coordinatord/theme.conf")
    #expect(ThemePlaces.read(environment: environment).theme.name == "Site")
    try write("".utf8, to: "own/coordinatord/theme.conf")
    #expect(ThemePlaces.read(environment: environment).theme == .standard)
  }

  @Test func `can have every key that its manual page and its example name, and no other`() throws {
    let checkout = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let names = ThemeKey.all.map(\.name)
    let page = try String(contentsOf: checkout.appendingPathComponent("Packaging/man/coordinatord.theme.5"), encoding: .utf8)
    #expect(page.matches(of: #/(?m)^\.BI (\w+)= /#).map { String($0.1) } == names)
    let example = try String(contentsOf: checkout.appendingPathComponent("Packaging/examples/theme.conf"), encoding: .utf8)
    #expect(example.matches(of: #/(?m)^#?(\w+)=/#).map { String($0.1) } == names)
    try write(example.utf8, to: "theme.conf")
    #expect(Theme.read("\(root)/theme.conf").problems.isEmpty)
    let all = example.replacing(#/(?m)^#(\w+=)/#) { $0.output.1 }
    try write(all.utf8, to: "theme.conf")
    for name in ["logo.svg", "logo-dark.svg", "favicon.svg"] { try write("<svg/>".utf8, to: name) }
    #expect(Theme.read("\(root)/theme.conf").problems.map(\.description) == [])
  }

  @Test func `that is missing is a problem`() {
    let reading = Theme.read("\(root)/none.conf")
    #expect(reading.problems.map(\.description) == ["\(root)/none.conf: no such file"])
  }
}

@Suite struct `The standard look` {
  @Test func `is legible`() {
    for palette in [Palette.light, .dark] {
      for color in [palette.text, palette.quietText, palette.link] {
        #expect(color.isLegible(on: [palette.surface, palette.background], 4.5))
      }
      for color in [palette.error, palette.warning] {
        #expect(color.isLegible(on: [palette.surface, palette.surface(in: color)], 4.5))
      }
      for color in [palette.accent, palette.control] { #expect(color.isLegible(on: [palette.surface], 3)) }
    }
  }
}
