// The parts of Foundation that Apple's systems have and Linux lacks, as far as Sources uses them; see UIKit.swift.
// Every file is compiled with this module.

public import Foundation
@_exported public import Glibc

/// <sys/fcntl.h>
// swift-format-ignore: AlwaysUseLowerCamelCase
public let F_FULLFSYNC: Int32 = 51

extension URLResourceValues {
  public var volumeAvailableCapacityForImportantUsage: Int64? { nil }
}

extension URLResourceKey {
  public static let volumeAvailableCapacityForImportantUsageKey = URLResourceKey(rawValue: "")
}

extension ProcessInfo {
  @available(macOS, unavailable)
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {}
}

/// <spawn.h>
// swift-format-ignore: AlwaysUseLowerCamelCase
public let POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 = 0x4000

// swift-format-ignore: AlwaysUseLowerCamelCase
public func posix_spawn_file_actions_addinherit_np(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ number: Int32
) -> Int32 { 0 }
