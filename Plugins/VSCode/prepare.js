// Copies what an extension has to contain and this repository has elsewhere. `vsce package` runs it first.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..", "..");
const folder = path.join(process.argv[2] ?? __dirname);

fs.mkdirSync(path.join(folder, "schemas"), { recursive: true });
for (const name of ["manifest.schema.json", "schemagen.schema.json"]) {
  fs.copyFileSync(path.join(root, "Schemas", name), path.join(folder, "schemas", name));
}
fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
