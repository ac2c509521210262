import Glibc

/// Room on the disk that is kept back, so that flows can be ended when there is no other.
struct SpaceReserve {
  /// In bytes: what ends take up in the log until it is brought into the database, which makes room in it.
  static let size = 1 << 20

  private let path: String
  private var isFilled = false
  private var nextFill: ContinuousClock.Instant?

  /// The reserve of a directory, in a file of this name.
  init(in directory: StateDirectory) { path = directory.file("reserve") }

  /// Takes room if there is any and none is kept yet; a disk that has none is not asked again for ten seconds.
  mutating func fill(at now: @autoclosure () -> ContinuousClock.Instant = .now) {
    guard !isFilled else { return }
    let now = now()
    if let nextFill, now < nextFill { return }
    isFilled = allocate()
    nextFill = isFilled ? nil : now + .seconds(10)
  }

  /// Gives the room back to the disk, also what a daemon before this one has kept.
  ///
  /// - Returns: whether there was any.
  mutating func release() -> Bool {
    guard DatabaseFile.hasContents(path), truncate(path, 0) == 0 else { return false }
    isFilled = false
    // Not at once, or it would be taken from what it was given back for.
    nextFill = .now + .seconds(10)
    return true
  }

  private func allocate() -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The umask may have taken even the owner's rights away.
    guard fchmod(file, 0o600) == 0 else { return false }
    if posix_fallocate(file, 0, off_t(Self.size)) == 0 { return true }
    // What could be had of it is worth more to others.
    _ = ftruncate(file, 0)
    return false
  }
}
