package import SchemaModel

/// Sources of Core Data models, as Xcode writes them.
package enum CoreDataSource {
  /// A file `contents` with these elements.
  package static func text(_ elements: String, attributes: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier=""\(attributes)>
    \(elements)
    </model>
    """
  }

  /// An entity with one String attribute and the given additions.
  package static func entity(
    _ name: String, _ attributes: String = "", _ elements: String = ""
  ) -> String {
    """
    <entity name="\(name)" representedClassName="\(name)" syncable="YES"\(attributes.isEmpty ? "" : " " + attributes)>
    <attribute name="title" optional="YES" attributeType="String"/>
    \(elements)
    </entity>
    """
  }

  /// An `.xcdatamodeld` with versions by their names, each the elements of its `contents`; the last is the current one.
  package static func files(
    _ path: String, _ versions: [(name: String, elements: String)], current: String? = nil
  ) -> [SourceFile] {
    let current = current ?? versions.last?.name ?? ""
    return versions.map {
      SourceFile(path: "\(path)/\($0.name).xcdatamodel/contents", text: text($0.elements))
    } + [
      SourceFile(
        path: "\(path)/.xccurrentversion",
        text: """
          <?xml version="1.0" encoding="UTF-8"?>
          <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
          <plist version="1.0"><dict>
          <key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string>
          </dict></plist>
          """)
    ]
  }
}
