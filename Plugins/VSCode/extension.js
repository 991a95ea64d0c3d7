// Starts `schemagen serve` and hands it to Visual Studio Code. All that is known of schemas is in the server.
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The client of the server that runs; undefined where none does. */
let client;

/** What was asked for last. One thing after another: a setting may change while the server is still starting. */
let last = Promise.resolve();

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("schemagen.restart", () => restart(context)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("schemagen.path")) restart(context);
    }),
  );
  return restart(context);
}

function deactivate() {
  last = last.then(stop);
  return last;
}

function restart(context) {
  last = last.then(stop).then(() => start(context));
  return last;
}

async function stop() {
  const stopped = client;
  client = undefined;
  // A server that has ended by itself needs no more words.
  await stopped?.stop().catch(() => {});
}

async function start(context) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const command = program(vscode.workspace.getConfiguration("schemagen").get("path"), folder);
  // Looked for here: the client only says that launching it failed.
  if (!isExecutable(command)) {
    explain(context, `there is no program '${command}': install it, or set its path in 'schemagen.path'`);
    return;
  }
  const started = new LanguageClient(
    "schemagen",
    "schemagen",
    // Without `transport`: with it the client would add an option of its own.
    { command, args: ["serve"], options: { cwd: folder } },
    {
      documentSelector: [
        { scheme: "file", language: "yaml", pattern: "**/{V*,schemagen}.yaml" },
        { scheme: "file", language: "swift" },
      ],
    },
  );
  try {
    await started.start();
    client = started;
  } catch (error) {
    explain(context, `'${command} serve' does not start: ${error?.message ?? error}`);
  }
}

/** The program that a setting names. */
function program(setting, folder) {
  const name = setting?.trim() || "schemagen";
  if (name.startsWith("~/")) return path.join(os.homedir(), name.slice(2));
  // A bare name is looked up on the PATH.
  return name.includes("/") && folder ? path.resolve(folder, name) : name;
}

function isExecutable(command) {
  const places = command.includes("/") ? [""] : (process.env.PATH ?? "").split(path.delimiter);
  return places.some((place) => {
    const file = path.join(place, command);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/** Says why there is no server, and what to do. Nobody waits for it: the message may stay for hours. */
async function explain(context, reason) {
  const settings = "Open Settings";
  const install = "How to Install";
  const choice = await vscode.window.showErrorMessage(`schemagen: ${reason}`, settings, install);
  if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "schemagen.path");
  } else if (choice === install) {
    await vscode.env.openExternal(vscode.Uri.parse(context.extension.packageJSON.homepage));
  }
}

module.exports = { activate, deactivate };
