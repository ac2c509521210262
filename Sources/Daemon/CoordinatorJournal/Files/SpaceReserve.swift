import Glibc

/// Reserved disk space, which allows flows to be ended when the disk is full.
struct SpaceReserve {
  /// The size of the reserve, in bytes: enough log for the ends of flows until they are checkpointed into the database,
  /// which frees room there.
  static let size = 1 << 20

  private let path: String
  private var isFilled = false
  private var nextFill: ContinuousClock.Instant?

  /// Creates the reserve of a directory. It is kept in the file `reserve`.
  init(in directory: StateDirectory) { path = directory.file("reserve") }

  /// Allocates the reserve unless it is already allocated. On a full disk, does not try again for ten seconds.
  mutating func fill(at now: @autoclosure () -> ContinuousClock.Instant = .now) {
    guard !isFilled else { return }
    let now = now()
    if let nextFill, now < nextFill { return }
    isFilled = allocate()
    nextFill = isFilled ? nil : now + .seconds(10)
  }

  /// Gives the reserved space back to the disk, even if a previous daemon reserved it.
  ///
  /// - Returns: whether there was any.
  mutating func release() -> Bool {
    guard DatabaseFile.hasContents(path), truncate(path, 0) == 0 else { return false }
    isFilled = false
    // An immediate refill would take the room away from the ends of flows.
    nextFill = .now + .seconds(10)
    return true
  }

  private func allocate() -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The umask may have removed even the owner's permissions.
    guard fchmod(file, 0o600) == 0 else { return false }
    if posix_fallocate(file, 0, off_t(Self.size)) == 0 { return true }
    // A partial reserve is more useful to others.
    _ = ftruncate(file, 0)
    return false
  }
}
