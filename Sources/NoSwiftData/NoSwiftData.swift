// Apple's systems have SwiftData. This stands for the product of that name, which a manifest asks for on Linux only.
