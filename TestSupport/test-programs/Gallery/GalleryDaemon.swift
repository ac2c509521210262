import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows

/// A daemon for tests of renderers. Its flow `gallery` shows every kind of screen and every kind of field, `paperwork` the
/// other features of screens, `library` long lists; `network`, `radio`, `station`, `arabic`, `installer`, `tongues`, `copying`
/// and `directory` show special cases.
struct GalleryDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.add { Gallery() }
    try catalogue.add { Network() }
    try catalogue.add { Radio() }
    try catalogue.add { Station() }
    try catalogue.add { Arabic() }
    try catalogue.add { Installer() }
    try catalogue.add { Paperwork() }
    try catalogue.add { Tongues() }
    try catalogue.add { Copying() }
    try catalogue.add { Directory() }
    try catalogue.add { Library() }
    try await daemon.serve(catalogue)
  }
}
