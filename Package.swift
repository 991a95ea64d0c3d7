// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// CI sets this, so that a warning stops it while a contributor can still try things out.
let strict: [SwiftSetting] =
  Context.environment["SCHEMAGEN_STRICT"] == "1" ? [.unsafeFlags(["-warnings-as-errors"])] : []

let settings: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

let package = Package(
  name: "schemagen",
  // Where SwiftData is: apps link SchemaMigrationKit.
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .executable(name: "schemagen", targets: ["schemagen"]),
    .executable(name: "schemagen-sources", targets: ["schemagen-sources"]),
    // What an app links to be safe when it launches.
    .library(name: "SchemaMigrationKit", targets: ["SchemaMigrationKit"]),
    .plugin(name: "GenerateSchema", targets: ["GenerateSchema"]),
    .plugin(name: "LintSchema", targets: ["LintSchema"]),
    .plugin(name: "DetectSchemaChanges", targets: ["DetectSchemaChanges"]),
    // For Benchmarks/ alone; it may change at any time. The fuzzer mutates what TestSupport makes up.
    .library(
      name: "_SchemagenModules", targets: ["SchemaRehearsal", "SchemaWorkspace", "TestSupport"]),
  ],
  dependencies: [
    // The command line: parsing, help, completion.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // The templates in Templates/: logic-free, without dependencies, Sendable.
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.0.2"),
  ],
  // A target names the modules that bring it the others: it may import whatever lies below them.
  targets: [
    // libyaml, the system's own.
    .systemLibrary(
      name: "CLibYAML", path: "Sources/System/CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // SQLite, and zlib, with which Core Data compresses the model that it leaves in a store: the system's own.
    // GRDB would bring its own build to every app that tests on Linux, and what is needed here is DDL, bound statements
    // and transactions. No pkg-config in what apps link: on a Mac it would find Homebrew's libraries, which Xcode then
    // links into apps, also into those for iPhones.
    .systemLibrary(name: "CStoreLibraries", path: "Sources/System/CStoreLibraries"),
    // Functions of the C library that Swift's module of it leaves out: `memmem`, two of `posix_spawn`.
    .systemLibrary(name: "CGNU", path: "Sources/System/CGNU"),
    // A header: the processor's instructions for SHA-256, off Apple's systems, where CryptoKit has them.
    .systemLibrary(name: "CSHA", path: "Sources/System/CSHA"),
    // Runs other programs and returns what they write.
    .target(
      name: "SchemaProcesses", dependencies: ["CGNU"], path: "Sources/System/SchemaProcesses"),
    // Values: versions, models, properties, types, expressions, configuration; findings, rules, places in files.
    .target(name: "SchemaModel", path: "Sources/Schema/SchemaModel"),
    // A store's model as values, and the digests that identify it: no SQLite, so that rendering needs none.
    .target(name: "ManagedModels", dependencies: ["CSHA"], path: "Sources/Stores/ManagedModels"),
    // Reads stores as Core Data lays them out: tables, metadata and models, and which version a store is of.
    // Apps link it with SchemaMigrationKit, so it depends on no package. It writes nothing.
    .target(
      name: "StoreFormat", dependencies: ["ManagedModels", "CStoreLibraries"],
      path: "Sources/Stores/StoreFormat"),
    // A library for apps: a store's version, backups, migration at launch, validation, restore, salvage.
    // No package may be linked into apps, so it depends on none.
    .target(
      name: "SchemaMigrationKit",
      dependencies: ["StoreFormat", "ManagedModels", "CStoreLibraries"],
      path: "Sources/App/SchemaMigrationKit"),
    // Writes stores and migrates them, without any Swift class.
    .target(name: "StoreEngine", dependencies: ["StoreFormat"], path: "Sources/Stores/StoreEngine"),
    // Runs inside the rehearsal's program: fills, migrates, kills, dumps and compares stores; also the plan of it all.
    // A rehearsal compiles it anew together with all that it depends on, so it has few dependencies and no package.
    .target(
      name: "RehearsalHarness", dependencies: ["StoreEngine", "SchemaProcesses"],
      path: "Sources/Rehearsal/RehearsalHarness"),
    // YAML with places → versions and configuration, and both as text again; edits that keep comments and layout.
    .target(
      name: "SchemaManifest", dependencies: ["CLibYAML", "ManagedModels", "SchemaModel"],
      path: "Sources/Schema/SchemaManifest"),
    // Everything that follows from a history: differences, classification, plans, bridges, stages, identities, converters.
    .target(
      name: "SchemaEvolution", dependencies: ["ManagedModels", "SchemaModel"],
      path: "Sources/Schema/SchemaEvolution"),
    // Findings in every format that people and machines read.
    .target(
      name: "SchemaReporting", dependencies: ["SchemaModel", "ManagedModels"],
      path: "Sources/Schema/SchemaReporting"),
    // The folder `Templates/`, embedded in the binary.
    .target(
      name: "SchemaTemplates", path: "Templates", exclude: ["README.md"],
      sources: ["SchemaTemplates.swift"],
      // Embedded rather than copied: a bundle is lost when the binary is moved.
      resources: [
        "ActiveSchema", "CloudMapper", "CloudSupport", "Conversion", "CoreDataStep", "DebugReport",
        "Entities", "Fixtures", "JSONImport", "MigrationLog", "MigrationPlan",
        "MigrationProgressView", "MigrationRows", "MigrationSupport", "MigrationTests",
        "PlanDescription", "Schema", "UserMigration", "ValueTypes",
      ].map { .embedInCode("\($0).mustache") }),
    // View models and templates → files in memory; a history as Markdown and as a picture.
    .target(
      name: "SchemaRendering",
      dependencies: [
        "SchemaEvolution", "SchemaReporting", "SchemaTemplates",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      path: "Sources/Schema/SchemaRendering"),
    // The rules of lint: what each checks and fixes, a file for each, and their pages.
    .target(
      name: "SchemaLint", dependencies: ["SchemaManifest", "SchemaEvolution", "SchemaReporting"],
      path: "Sources/Schema/SchemaLint"),
    // Folders of manifests: generate, diff, lint, new-version, release, the lock; the seam to the file system.
    .target(
      name: "SchemaWorkspace", dependencies: ["SchemaLint", "SchemaRendering", "SchemaProcesses"],
      path: "Sources/Schema/SchemaWorkspace",
      resources: [
        "Generate/FoundationStandIn.txt", "Generate/OSStandIn.txt", "Report/report.css",
        "Report/report.js", "Skill/SKILL.md",
      ].map { .embedInCode($0) }),
    // What needs git: the base of a comparison, staged files, hooks, rebasing versions, the history of the files.
    .target(name: "SchemaGit", dependencies: ["SchemaWorkspace"], path: "Sources/Schema/SchemaGit"),
    // Compares stores with versions: inspects a store, adopts one, proves a version with one, measures changes on one.
    // It never writes to a store.
    .target(
      name: "StoreTools", dependencies: ["StoreFormat", "SchemaWorkspace"],
      path: "Sources/Stores/StoreTools"),
    // Plans rehearsals, makes their rows, compiles and starts their program, and reports the results.
    .target(
      name: "SchemaRehearsal",
      dependencies: ["SchemaManifest", "SchemaEvolution", "SchemaReporting", "RehearsalHarness"],
      path: "Sources/Rehearsal/SchemaRehearsal"),
    // Findings for editors and coding agents: a language server, and tools by the Model Context Protocol.
    .target(
      name: "SchemaServer", dependencies: ["SchemaWorkspace"], path: "Sources/Schema/SchemaServer"),
    // Reads Swift source trees: which files there are, what they declare, what names and conditions in them mean.
    .target(
      name: "SwiftSources",
      dependencies: [
        "SchemaWorkspace",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
      ],
      path: "Sources/Swift/SwiftSources"),
    // Models, versions, plans and stages that were written by hand → manifests and files of the app's.
    .target(
      name: "SwiftAdoption", dependencies: ["SwiftSources"], path: "Sources/Swift/SwiftAdoption"),
    // Places in an app's code: against rules, affected by a step, needed by a rehearsal, where stores are opened.
    .target(
      name: "SwiftChecks", dependencies: ["SwiftAdoption"], path: "Sources/Swift/SwiftChecks"),
    // An app's classes beside its manifests: snapshot, detect, the end of an adoption, what the gate asks of code.
    .target(
      name: "CodeFirst", dependencies: ["SwiftChecks", "SchemaGit"],
      path: "Sources/Swift/CodeFirst"),
    // Traces a store to the commits whose models it has.
    .target(
      name: "SwiftTrace", dependencies: ["SwiftAdoption", "SchemaGit", "StoreTools"],
      path: "Sources/Swift/SwiftTrace"),
    // What both executables share: folders, output, reports, exit statuses.
    .target(
      name: "CommandLineSupport",
      dependencies: [
        "SchemaGit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Commands/CommandLineSupport"),
    // The commands that read Swift. They need swift-syntax, so `schemagen` hands them over to this executable.
    .executableTarget(
      name: "schemagen-sources",
      dependencies: ["CodeFirst", "SwiftTrace", "SchemaServer", "CommandLineSupport"],
      path: "Sources/Commands/schemagen-sources"),
    // The commands; each is thin.
    .executableTarget(
      name: "schemagen", dependencies: ["CommandLineSupport", "SchemaRehearsal", "StoreTools"],
      path: "Sources/Commands/schemagen"),
    .plugin(
      name: "GenerateSchema",
      capability: .command(
        intent: .custom(
          verb: "generate-schema",
          description: "Generate SwiftData schemas, converters and migrations from manifests"),
        permissions: [
          .writeToPackageDirectory(reason: "writes the Swift files generated from the manifests")
        ]),
      dependencies: ["schemagen"]),
    // Reads only. With '--allow-writing-to-package-directory' it can mend and write reports as well.
    .plugin(
      name: "LintSchema",
      capability: .command(
        intent: .custom(
          verb: "lint-schema",
          description: "Hold SwiftData schema manifests and their history against all rules"),
        permissions: []),
      dependencies: ["schemagen"]),
    // Reads only. With '--allow-writing-to-package-directory' it can adopt, mend and write reports as well.
    .plugin(
      name: "DetectSchemaChanges",
      capability: .command(
        intent: .custom(
          verb: "detect-schema-changes",
          description: "Hold the SwiftData models in Swift sources against the newest manifest"),
        permissions: []),
      dependencies: ["schemagen-sources"]),
    // What several test targets use: processes, temporary folders, a file system in memory, random histories, the examples
    // of rules.
    .target(
      name: "TestSupport", dependencies: ["SchemaWorkspace"], path: "Tests/Support/TestSupport"),
    // A process that is killed in the middle of a backup or a migration.
    .executableTarget(
      name: "backup-stand-in", dependencies: ["SchemaMigrationKit", "StoreEngine"],
      path: "Tests/Support/BackupStandIn"),
    // A rehearsal's program without generated code: the store layer alone stands in for the runtime.
    .executableTarget(
      name: "rehearsal-stand-in", dependencies: ["RehearsalHarness"],
      path: "Tests/Support/RehearsalStandIn"),
    .testTarget(name: "SchemaProcessesTests", dependencies: ["SchemaProcesses"]),
    .testTarget(name: "ManagedModelsTests", dependencies: ["ManagedModels"]),
    .testTarget(name: "SchemaModelTests", dependencies: ["SchemaModel"]),
    .testTarget(name: "StoreFormatTests", dependencies: ["StoreEngine", "TestSupport"]),
    .testTarget(
      name: "SchemaMigrationKitTests",
      dependencies: [
        "SchemaMigrationKit", "StoreEngine", "StoreTools", "TestSupport", "backup-stand-in",
      ]),
    .testTarget(name: "SchemaManifestTests", dependencies: ["SchemaManifest", "TestSupport"]),
    .testTarget(
      name: "SchemaEvolutionTests", dependencies: ["SchemaEvolution", "StoreFormat", "TestSupport"]),
    .testTarget(
      name: "SchemaReportingTests", dependencies: ["SchemaReporting", "TestSupport"],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "SchemaRenderingTests", dependencies: ["SchemaRendering", "TestSupport"],
      exclude: ["Pictures/Recorded"]),
    .testTarget(name: "SchemaLintTests", dependencies: ["SchemaLint", "TestSupport"]),
    .testTarget(
      name: "SchemaWorkspaceTests", dependencies: ["SchemaWorkspace", "TestSupport"],
      exclude: ["Comments"]),
    .testTarget(name: "SchemaGitTests", dependencies: ["SchemaGit", "TestSupport"]),
    .testTarget(
      name: "StoreToolsTests",
      dependencies: ["schemagen", "StoreTools", "StoreEngine", "TestSupport"]),
    .testTarget(
      name: "SchemaRehearsalTests",
      dependencies: ["SchemaRehearsal", "TestSupport", "rehearsal-stand-in"]),
    .testTarget(name: "SchemaServerTests", dependencies: ["SchemaServer"]),
    .testTarget(name: "SwiftSourcesTests", dependencies: ["SwiftSources", "TestSupport"]),
    .testTarget(name: "SwiftAdoptionTests", dependencies: ["CodeFirst", "TestSupport"]),
    .testTarget(
      name: "SwiftChecksTests", dependencies: ["SwiftChecks", "TestSupport", "schemagen-sources"]),
    .testTarget(
      name: "CodeFirstTests", dependencies: ["CodeFirst", "TestSupport", "schemagen-sources"]),
    .testTarget(
      name: "SwiftTraceTests",
      dependencies: ["SwiftTrace", "StoreEngine", "TestSupport", "schemagen-sources"]),
    .testTarget(name: "ReferenceTests", dependencies: ["schemagen", "TestSupport"]),
    .testTarget(
      name: "CommandTests",
      dependencies: ["schemagen", "schemagen-sources", "StoreEngine", "TestSupport"]),
    // What a plugin decides. The plugins and their tests compile the same file through a symlink.
    .testTarget(name: "PluginSupportTests"),
  ],
  swiftLanguageModes: [.v6]
)

// SwiftData off Apple's systems: there, and there only, a module of that name.
#if os(Linux)
  package.products += [
    .library(name: "SwiftData", targets: ["SwiftData"]),
    // What `schemagen rehearse` links its scratch package with.
    .library(name: "SwiftDataRehearsal", targets: ["SwiftDataRehearsal"]),
  ]
  package.targets += [
    // `@Model` and the other macros of SwiftData.
    .macro(
      name: "PortableSwiftDataMacros",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ],
      path: "Sources/Rehearsal/PortableSwiftDataMacros"),
    // SwiftData's interface on our own store layer: schemas from classes, contexts, containers, the staged engine.
    .target(
      name: "SwiftData", dependencies: ["PortableSwiftDataMacros", "StoreEngine"],
      path: "Sources/Rehearsal/SwiftData"),
    // The rehearsal's harness, told of the runtime.
    .target(
      name: "SwiftDataRehearsal", dependencies: ["RehearsalHarness", "SwiftData"],
      path: "Sources/Rehearsal/SwiftDataRehearsal"),
    // Extras are generated, compiled and run: against a stand-in for CloudKit, which is Apple's alone.
    .target(name: "CloudKit", path: "Tests/Support/CloudKitStandIn"),
    .target(
      name: "ExtrasModels", dependencies: ["SwiftData", "CloudKit", "SchemaMigrationKit"],
      path: "Tests/Support/ExtrasModels", exclude: ["Schemas"]),
    // The same for Core Data. Only tests that say so find it under that name: what else is built in this folder asks
    // whether there is a Core Data, too.
    .target(
      name: "CoreDataStandIn", dependencies: ["SwiftData"], path: "Tests/Support/CoreDataStandIn"),
    // An app that keeps its classes: what is generated beside them is compiled and run.
    .target(
      name: "LiveModels", dependencies: ["SwiftData"], path: "Tests/Support/LiveModels",
      exclude: ["Schemas"]),
    .testTarget(name: "ExtrasTests", dependencies: ["ExtrasModels", "CoreDataStandIn"]),
    .testTarget(
      name: "LiveModelsTests",
      dependencies: ["LiveModels", "CoreDataStandIn", "CodeFirst", "TestSupport"]),
    .testTarget(
      name: "PortableSwiftDataTests", dependencies: ["SwiftData", "SwiftAdoption", "TestSupport"]),
  ]
#else
  // A product of that name must be there for manifests that ask for it on Linux; nothing here links it.
  package.products.append(.library(name: "SwiftData", targets: ["ManagedModels"]))
#endif

let isCheck = Context.environment["SCHEMAGEN_CHECK"] == "1"

// SwiftPM compiles everything below a plugin's program a second time, for the machine that builds. `make test` has the
// plugins run the programs that it has compiled, and `make check` leaves them out.
if isCheck || Context.environment["SCHEMAGEN_PLUGINS"] == "0" {
  package.targets.removeAll { $0.type == .plugin }
  package.products.removeAll { $0 is Product.Plugin }
}

// `make check` leaves out everything that needs swift-syntax, which takes minutes to build, and the tests that run the
// command and git all the time.
if isCheck {
  let left = [
    "CloudKit", "CodeFirst", "CodeFirstTests", "CommandTests", "CoreDataStandIn", "ExtrasModels",
    "ExtrasTests", "LiveModels", "LiveModelsTests", "PortableSwiftDataMacros",
    "PortableSwiftDataTests", "schemagen-sources", "SwiftAdoption", "SwiftAdoptionTests",
    "SwiftChecks", "SwiftChecksTests", "SwiftData", "SwiftDataRehearsal", "SwiftSources",
    "SwiftSourcesTests", "SwiftTrace", "SwiftTraceTests",
  ]
  package.targets.removeAll { left.contains($0.name) }
  package.products.removeAll { left.contains($0.name) }
} else {
  // Reads Swift: what apps declare, and where they name versions. Also the macros of the portable SwiftData.
  // Nothing that `schemagen generate` is made of may depend on it.
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-syntax", "601.0.0"..<"604.0.0"))
}

for target in package.targets where target.type != .plugin && target.type != .system {
  // What is generated is compiled as an app compiles it: with imports that are public.
  target.swiftSettings =
    target.name == "ExtrasModels" ? strict + [.enableUpcomingFeature("ExistentialAny")] : settings
  if ["ExtrasTests", "LiveModelsTests"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-module-alias", "CoreData=CoreDataStandIn"]))
  }
}
