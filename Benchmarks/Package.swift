// swift-tools-version: 6.1
import Foundation
import PackageDescription

/// CI sets this. It must be as in the build of the checkout, or the modules of both would be compiled twice.
let strict: [SwiftSetting] =
  Context.environment["SCHEMAGEN_STRICT"] == "1" ? [.unsafeFlags(["-warnings-as-errors"])] : []

/// The name that SwiftPM gives the checkout's package: that of its folder, as an identifier.
let checkout = String(
  URL(filePath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent.lowercased()
    .map { $0.isLetter || $0.isNumber ? $0 : "_" })

/// As for a target of that package, so that `package` declarations are seen.
let settings: [SwiftSetting] =
  strict + [
    .unsafeFlags(["-package-name", checkout]),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "schemagen", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // Measures the modules on synthetic histories.
    .executableTarget(
      name: "schemagen-benchmark",
      dependencies: [.product(name: "_SchemagenModules", package: "schemagen")],
      packageAccess: false,
      swiftSettings: settings),
    // Mutates manifests and compares what lint and generate make of them with what must always be true.
    .executableTarget(
      name: "schemagen-fuzz",
      dependencies: [
        .product(name: "_SchemagenModules", package: "schemagen"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      packageAccess: false,
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// There is a SwiftData to measure on Linux only.
#if os(Linux)
  package.targets.append(
    // Measures a generated migration of many rows.
    .executableTarget(
      name: "schemagen-rehearsal-benchmark",
      dependencies: [
        .product(name: "SwiftData", package: "schemagen"),
        .product(name: "_SchemagenModules", package: "schemagen"),
      ],
      exclude: [
        "Schemas/MIGRATIONS.md", "Schemas/V1.yaml", "Schemas/V2.yaml", "Schemas/schema.lock",
        "Schemas/schemagen.yaml",
      ],
      packageAccess: false,
      swiftSettings: settings))
#endif
