import SchemaManifest
import SchemaModel
import Testing

@testable import SwiftChecks
@testable import SwiftSources

@Suite("Build settings")
struct BuildSettingsTests {
  private func settings(_ text: String, _ path: String = "Package.swift") -> BuildSettings {
    BuildSettings([SourceFile(path: path, text: text)])
  }

  private static func project(_ release: String, debug: String = "") -> String {
    """
    AA = {isa = XCBuildConfiguration; buildSettings = { \(debug) }; name = Debug; };
    AB = {isa = XCBuildConfiguration; buildSettings = { \(release) }; name = Release; };
    """
  }

  @Test(
    "Compilation conditions set in a package are found",
    arguments: [
      ("[.define(\"LITE\")]", ["LITE": 1]),
      ("[.define(\"LITE\"), .define(\"LITE\", .when(platforms: [.iOS]))]", ["LITE": 2]),
      ("[.define(\"LITE\", .when(configuration: .debug))]", [:]),
      ("[.unsafeFlags([\"-DLITE\", \"-D\", \"PRO\"])]", ["LITE": 1, "PRO": 1]),
      ("[.define(lite)]", ["LITE": 1]),
    ] as [(String, [String: Int])])
  func package(_ list: String, _ flags: [String: Int]) {
    let text =
      "let lite = \"LITE\"\nlet package = Package(name: \"A\", targets: [.target(name: \"A\", swiftSettings: \(list))])"
    #expect(settings(text).flags == flags)
    #expect(settings(text).entitlements == nil)
  }

  @Test(
    "Compilation conditions set in a project or a settings file are found",
    arguments: [
      ("SWIFT_ACTIVE_COMPILATION_CONDITIONS = \"LITE $(inherited)\"", ["LITE": 1]),
      ("\"SWIFT_ACTIVE_COMPILATION_CONDITIONS[sdk=iphoneos*]\" = LITE", ["LITE": 1]),
      ("SWIFT_ACTIVE_COMPILATION_CONDITIONS[config=Debug] = LITE", [:]),
      ("OTHER_SWIFT_FLAGS = \"-DLITE -D PRO\"", ["LITE": 1, "PRO": 1]),
      ("OTHER = \"$(SWIFT_ACTIVE_COMPILATION_CONDITIONS)\"", [:]),
    ] as [(String, [String: Int])])
  func project(_ line: String, _ flags: [String: Int]) {
    let path = "A.xcodeproj/project.pbxproj"
    #expect(settings(Self.project("\(line);"), path).flags == flags)
    #expect(settings(Self.project("", debug: "\(line);"), path).flags == [:])
    #expect(settings("\(line) // PRO\n", "App.xcconfig").flags == flags)
    #expect(settings(line, "Debug.xcconfig").flags == [:])
  }

  @Test(
    "Compilation conditions set through other settings are found",
    arguments: [
      ("FEATURES = LITE", "$(inherited) $(FEATURES)", ["LITE": 1]),
      ("FEATURES = LITE", "${FEATURES}", ["LITE": 1]),
      ("FEATURES =", "$(inherited) $(FEATURES)", [:]),
      ("FEATURES[config=Debug] = LITE", "$(FEATURES)", [:]),
      ("MY_FEATURES = LITE", "$(FEATURES)", [:]),
      ("FEATURES = $(inherited) $(FEATURES) $(PAID)\nPAID = PRO", "$(FEATURES)", ["PRO": 1]),
    ] as [(String, String, [String: Int])])
  func variables(_ settings: String, _ value: String, _ flags: [String: Int]) {
    let line = "SWIFT_ACTIVE_COMPILATION_CONDITIONS = \(value)\n"
    #expect(self.settings("\(settings)\n\(line)", "App.xcconfig").flags == flags)
    let files = [("Features.xcconfig", settings), ("App.xcconfig", line)]
    #expect(BuildSettings(files.map { SourceFile(path: $0.0, text: $0.1) }).flags == flags)
  }

  @Test(
    "Deployment targets are those of the systems that the project is built for",
    arguments: [
      ("SDKROOT = iphoneos; $IOS = 17.4; $MAC = 15.0", [.iOS: 17]),
      ("SDKROOT = macosx; $MAC = 15.0; OTHER = 26", [.macOS: 15]),
      (
        "SDKROOT = auto; SUPPORTED_PLATFORMS = \"iphoneos macosx\"; $IOS = 18.2; $MAC = 15; $XR = 2.0",
        [.iOS: 18, .macOS: 15]
      ),
      ("SDKROOT = auto; $IOS = 26.0; $WATCH = 11.0", [.iOS: 26, .watchOS: 11]),
      // Older systems have no SwiftData.
      ("SDKROOT = iphoneos; $IOS = 15.0", [.iOS: 17]),
      ("SDKROOT = iphoneos; $IOS = $(RECOMMENDED)", [:]),
      ("SDKROOT = iphoneos; $IOS = $(OLDEST); OLDEST = 18.0", [.iOS: 18]),
    ] as [(String, [Configuration.Platform: Int])])
  func deployment(_ lines: String, _ platforms: [Configuration.Platform: Int]) {
    let names = ["$IOS": "IPHONEOS", "$MAC": "MACOSX", "$XR": "XROS", "$WATCH": "WATCHOS"]
    let lines = names.reduce(lines) {
      $0.replacing($1.key, with: "\($1.value)_DEPLOYMENT_TARGET")
    }
    let project = settings(Self.project("\(lines);"), "A.xcodeproj/project.pbxproj")
    #expect(project.platforms == platforms)
    // The settings of debug builds are not shipped.
    let debug = settings(Self.project("", debug: "\(lines);"), "A.xcodeproj/project.pbxproj")
    #expect(debug.platforms.isEmpty)
    // A settings file has no blocks.
    let file = settings(lines.replacing("; ", with: "\n"), "App.xcconfig")
    #expect(file.platforms == platforms)
  }

  @Test("A project's lowest deployment target counts; a package's counts only without a project")
  func packagePlatforms() {
    let package = SourceFile(
      path: "Package.swift",
      text: "let p = Package(platforms: [.iOS(.v17), .macOS(\"14.2\"), .macCatalyst(.v17)])")
    let project = SourceFile(
      path: "A.xcodeproj/project.pbxproj",
      text: Self.project("SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 26.0;")
        + Self.project("IPHONEOS_DEPLOYMENT_TARGET = 18.0;"))
    #expect(BuildSettings([package]).platforms == [.iOS: 17, .macOS: 14])
    #expect(BuildSettings([package, project]).platforms == [.iOS: 18])
  }

  @Test("The entitlements of a project's targets are found")
  func entitlements() {
    func names(_ release: String) -> Bool? {
      settings(Self.project(release), "A.xcodeproj/project.pbxproj").names("x/App/App.entitlements")
    }
    #expect(names("CODE_SIGN_ENTITLEMENTS = App/App.entitlements;") == true)
    #expect(names("CODE_SIGN_ENTITLEMENTS = \"$(SRCROOT)/App/App.entitlements\";") == true)
    #expect(names("CODE_SIGN_ENTITLEMENTS = App/Beta.entitlements;") == false)
    #expect(names("") == false)
    #expect(names("CODE_SIGN_ENTITLEMENTS = \"App/$(TARGET_NAME).entitlements\";") == nil)
    #expect(settings("").names("App.entitlements") == nil)
  }

  @Test("Entitlements that no target uses any more are reported as lost")
  func lostEntitlements() {
    let file = SourceFile(
      path: "App/App.entitlements",
      text:
        "<key>\(Entitlements.keys[0])</key><array><string>iCloud.a</string></array>")
    func entitlements(_ release: String) -> Entitlements {
      Entitlements([file], of: settings(Self.project(release), "A.xcodeproj/project.pbxproj"))
    }
    let whole = entitlements("CODE_SIGN_ENTITLEMENTS = App/App.entitlements;")
    #expect(whole.losses(in: whole) == [])
    #expect(whole.losses(in: entitlements("")).count == 1)
    // Without a project, files may have other names.
    #expect(whole.losses(in: Entitlements([])) == [])
  }

  // MARK: Conditions

  private static let version: SchemaVersion = {
    let text = """
      version: 1.0.0
      models: { Trip: { properties: { name: String, kind: Kind } } }
      types: { Kind: { enum: String, cases: [a, b], own: true } }
      """
    return ManifestReader().read(SourceFile(path: "V1.yaml", text: text)).version!
  }()

  /// The differences between two states of a model and its build.
  private func found(
    _ base: (code: String, flags: [String]), _ now: (code: String, flags: [String]),
    defines: [String: Bool] = ["LITE": false], isNew: Bool = false
  ) -> [String] {
    func conditions(_ code: String) -> StoredConditions {
      StoredConditions(Self.version) { texts in
        texts.contains { code.contains($0) } ? [SourceFile(path: "A.swift", text: code)] : []
      }
    }
    func settings(_ flags: [String]) -> BuildSettings {
      self.settings(flags.map { "let \($0) = .define(\"\($0)\")" }.joined(separator: "\n"))
    }
    var build = BuildConditions()
    build.defines = defines
    return conditions(now.code).findings(
      since: conditions(base.code), "main", (settings(base.flags), settings(now.flags)), build
    ) { _ in isNew }.map(\.message)
  }

  private static func model(_ condition: String, _ inside: String = "var note: String?") -> String {
    "@Model final class Trip {\n#if \(condition)\n\(inside)\n#endif\n}"
  }

  @Test("A change of what models store through a condition set by the build is reported")
  func flags() {
    let code = Self.model("!LITE")
    #expect(found((code, []), (code, ["LITE"])).count == 1)
    #expect(found((code, ["LITE"]), (code, [])).count == 1)
    #expect(found((code, ["LITE"]), (code, ["LITE"])) == [])
    #expect(found((code, []), (code, ["PRO"])) == [])
    // Both in one change.
    #expect(found(("", []), (code, ["LITE"])).count == 1)
    #expect(found(("", ["LITE"]), (code, ["LITE"])).count == 1)
    #expect(found(("", ["LITE"]), (code, ["LITE"]), defines: ["LITE": true]) == [])
    #expect(found((code, ["LITE"]), (code, ["LITE"]), isNew: true).count == 1)
    let kind = "enum Kind: String {\ncase a\n#if LITE\ncase b\n#endif\n}"
    #expect(found((kind, []), (kind, ["LITE"])).count == 1)
    let whole = "#if LITE\n@Model final class Trip {}\n#endif"
    #expect(found((whole, []), (whole, ["LITE"])).count == 1)
    for inside in ["func f() {}", "var n: Int { 1 }", "static let n = 1"] {
      let code = Self.model("LITE", inside)
      #expect(found((code, []), (code, ["LITE"])) == [], "\(inside)")
    }
    let body = "@Model final class Trip { func f() {\n#if LITE\nlet n = 1\n#endif\n} }"
    #expect(found((body, []), (body, ["LITE"])) == [])
  }

  @Test("A new '#if' condition that cannot be decided is reported")
  func unknown() {
    let code = Self.model("hasAttribute(nope)")
    #expect(found(("", []), (code, [])).count == 1)
    #expect(found((code, []), (code, [])) == [])
    #expect(found(("", []), (code, []), defines: ["hasAttribute(nope)": true]) == [])
    #expect(found(("", []), (Self.model("DEBUG"), [])) == [])
  }
}
