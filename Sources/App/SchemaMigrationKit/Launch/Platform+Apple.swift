#if canImport(Darwin)
  internal import Foundation
  internal import os
  #if os(iOS) || os(tvOS) || os(visionOS)
    internal import UIKit
  #endif

  // This file has everything that exists only on Apple's systems. On other systems, Scripts/apple.py compiles it
  // against the stand-ins in Tests/Support/SwiftUIInterface.
  extension Platform {
    static var apple: Platform {
      var platform = Platform()
      platform.observer = SystemLog()
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        platform.lockedError = EPERM
        platform.protection = { path in
          let attributes = try? FileManager.default.attributesOfItem(atPath: path)
          return (attributes?[.protectionKey] as? FileProtectionType)?.rawValue
        }
        platform.protect = { path, protection in
          try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType(rawValue: protection)], ofItemAtPath: path)
        }
        platform.keepAwake = keepAwake
      #endif
      #if os(iOS) || os(tvOS) || os(visionOS)
        platform.wakes = wakes
      #endif
      platform.excludeFromDeviceBackup = { path in
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // Ignore the error: a larger backup of the device is no reason to fail.
        try? url.setResourceValues(values)
      }
      return platform
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      @Sendable private static func keepAwake(
        _ reason: String, _ onExpiry: @escaping @Sendable () -> Void
      ) -> @Sendable () -> Void {
        let ended = DispatchSemaphore(value: 0)
        // The process stays awake while the block runs. Before the system suspends the process, it calls the block once
        // more.
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
          guard isExpired else { return ended.wait() }
          onExpiry()
          // Wait until locks are released. Opening a store cannot be stopped: that work may be suspended.
          _ = ended.wait(timeout: .now() + 3)
          ended.signal()
        }
        return {
          // Signal once for each of the block's two calls.
          ended.signal()
          ended.signal()
        }
      }
    #endif

    #if os(iOS) || os(tvOS) || os(visionOS)
      @Sendable private static func wakes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
          let names = [
            UIApplication.protectedDataDidBecomeAvailableNotification,
            UIApplication.didBecomeActiveNotification,
          ]
          nonisolated(unsafe) let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
              continuation.yield()
            }
          }
          continuation.onTermination = { _ in
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
          }
        }
      }
    #endif
  }

  /// Writes events to the system's log, in the category "migration" of the app's subsystem.
  struct SystemLog: MigrationObserver {
    private let logger = Logger(
      subsystem: Bundle.main.bundleIdentifier ?? "SchemaMigrationKit", category: "migration")

    func migration(_ event: MigrationEvent) {
      if case .failed = event {
        logger.error("\(event.description, privacy: .public)")
      } else {
        logger.notice("\(event.description, privacy: .public)")
      }
    }
  }
#endif
