import Foundation

/// Prints a line without buffering, even to a pipe.
public func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
