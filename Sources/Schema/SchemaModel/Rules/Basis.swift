/// The evidence for a rule, or for a row of the classification table.
package struct Basis: Hashable, Sendable {
  package enum Mark: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Proven by files that Apple's frameworks wrote, by Apple's public interface, or by a published specification.
    case certain
    /// Supported by public analyses of the framework, or by two independent projects.
    case likely
    case unverified
  }

  /// A page of docs/facts. The raw value is the file's name.
  package enum FactPage: String, Hashable, Sendable {
    case swiftData = "swiftdata"
    case identity
    case migration
    case storeFormat = "store-format"
    case tooling
    case cloudKit = "cloudkit"
  }

  /// A guide that the project is based on. The raw value is the guide's title.
  package enum Guide: String, Hashable, Sendable {
    case schemaMigration = "SwiftData Schema Migration Guide"
    case ritualist = "Ritualist Schema Migration Guide"
    case schemaChange = "Schema Change Guidelines"
    case versionedSchema = "SwiftData Migration and Versioned Schema"
  }

  package enum Source: Hashable, Sendable {
    case fact(FactPage, anchor: String)
    case page(String, anchor: String?)
    case guide(Guide, place: String)
    case publication(String)
  }

  package let source: Source
  package let mark: Mark

  /// A fact of docs/facts. A test checks that the page has the same mark.
  package static func fact(_ page: FactPage, _ anchor: String, _ mark: Mark) -> Basis {
    Basis(source: .fact(page, anchor: anchor), mark: mark)
  }

  package static func page(_ name: String, _ anchor: String? = nil) -> Basis {
    Basis(source: .page(name, anchor: anchor), mark: .certain)
  }

  package static func guide(_ guide: Guide, _ place: String) -> Basis {
    Basis(source: .guide(guide, place: place), mark: .certain)
  }

  package static func publication(_ name: String, _ mark: Mark = .certain) -> Basis {
    Basis(source: .publication(name), mark: mark)
  }

  package static let manifest = Basis.page("manifest")
}

extension Basis: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try JSONObject(["source": text, "mark": mark]).encode(to: encoder)
  }
}

extension Basis {
  package static let documentation = Project.repository + "/blob/main/docs/"

  /// The evidence's location in plain text: `docs/facts/migration.md#add-model`.
  package var text: String {
    if let path { return "docs/" + path }
    return switch source {
    case .guide(let guide, let place): "\(guide.rawValue), \(place)"
    case .publication(let name): name
    case .fact, .page: ""
    }
  }

  /// The evidence's location for readers without the repository. Pages of the documentation have a web address.
  package var address: String { path.map { Self.documentation + $0 } ?? text }

  /// The evidence's location in Markdown, as a link if it is a page of the documentation.
  ///
  /// - Parameter docs: The path of the documentation folder, relative to the output: `../`, or a URL with a trailing
  ///   slash.
  package func markdown(docs: String) -> String {
    guard let path else { return text }
    return "[\(title)](\(docs)\(path))"
  }

  /// The file and its anchor, relative to docs; `nil` for other evidence.
  private var path: String? {
    switch source {
    case .fact(let page, let anchor): "facts/\(page.rawValue).md#\(anchor)"
    case .page(let name, let anchor): name + ".md" + (anchor.map { "#" + $0 } ?? "")
    case .guide, .publication: nil
    }
  }

  /// The page and the anchor in words: `migration: add model`.
  private var title: String {
    switch source {
    case .fact(let page, let anchor): "\(page.rawValue): \(Self.words(anchor))"
    case .page(let name, let anchor): name + (anchor.map { ": " + Self.words($0) } ?? "")
    case .guide, .publication: text
    }
  }

  private static func words(_ anchor: String) -> String {
    String(anchor.map { $0 == "-" ? " " : $0 })
  }
}
