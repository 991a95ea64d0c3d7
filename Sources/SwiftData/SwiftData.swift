// The name under which apps and generated code find the runtime. On Apple's systems there is no such module here:
// SwiftData is SwiftData.
@_exported public import PortableSwiftData
