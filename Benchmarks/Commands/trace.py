"""`schemagen trace` on histories of commits that each edit one model: of classes, and of manifests that go on to 20
versions. Nothing is kept between runs, so the first is as long as any."""

import json, os, plistlib, sqlite3, statistics, subprocess, sys, time

command, work, commits, models = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
TYPES = {"Int": (300, False), "String": (700, False), "Double?": (500, True), "Date?": (900, True)}


def swift(number, properties):
    body = "".join(f"  var {name}: {kind}\n" for name, kind in properties)
    return f"import SwiftData\n\n/// Model {number}.\n@Model\nfinal class M{number} {{\n{body}\n  init() {{ fatalError() }}\n}}\n"


def manifest(version, state):
    text = f"version: {version}.0.0\nmodels:\n"
    for number, properties in enumerate(state):
        text += f"  M{number}:\n    properties:\n"
        text += "".join(f"      {name}: {kind}\n" for name, kind in properties)
    return text


def store(path, state):
    """A store of the portable runtime: its model in its metadata, and no rows."""
    entities = [
        {"name": f"M{number}", "relationships": [], "uniqueness": [], "indexes": [], "isAbstract": False, "unknowns": [],
         "attributes": [{"name": name, "type": TYPES[kind][0], "isOptional": TYPES[kind][1], "isExternal": False,
                         "isPreservedOnDeletion": False, "elements": []} for name, kind in properties]}
        for number, properties in enumerate(state)]
    model = json.dumps({"entities": entities, "versionIdentifier": "1.0.0"})
    database = sqlite3.connect(path)
    database.execute("PRAGMA application_id = 1397182547")
    database.execute("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    database.execute("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    for number in range(models):
        database.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 0)", (number + 1, f"M{number}"))
        columns = "".join(f", Z{name.upper()}" for name, _ in state[number])
        database.execute(f"CREATE TABLE ZM{number} (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER{columns})")
    plist = {"NSStoreType": "SQLite", "NSStoreModelVersionIdentifiers": ["1.0.0"],
             "PortableSwiftData": {"note": "for a benchmark", "model": model}}
    database.execute("INSERT INTO Z_METADATA VALUES (1, 'CCB0DB61-76B9-4830-8F76-A4E88DE12290', ?)",
                     (plistlib.dumps(plist, fmt=plistlib.FMT_BINARY),))
    database.commit()


def history(folder, form):
    """Makes the repository; the models of the commit in its middle."""
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    state = [[("name", "String"), ("size", "Int"), ("day", "Date?")] for _ in range(models)]
    stream, middle, version = [], None, 0
    for commit in range(commits):
        number = commit % models
        if commit:
            kind = ("Int", "String", "Double?")[commit % 3]
            state[number] = state[number][:3] + [(f"p{commit}", kind)] + state[number][3:6]
        version += commit % max(1, commits // 20) == 0
        files = {f"App/Screen{commit % 60}.swift": f"struct Screen{commit % 60} {{ let number = {commit} }}\n" * 40}
        if form == "classes":
            for index in range(models) if commit == 0 else [number]:
                files[f"App/Models/M{index}.swift"] = swift(index, state[index])
            names = ", ".join(f"M{index}.self" for index in range(models))
            if commit == 0:
                files["App/Main.swift"] = f"let container = try ModelContainer(for: Schema([{names}]))\n"
        else:
            files[f"Schemas/V{version}.yaml"] = manifest(version, state)
        if commit == commits // 2:
            middle = [list(properties) for properties in state]
        stream.append(f"commit refs/heads/main\nmark :{commit + 1}\ncommitter A <a@b> {1600000000 + commit * 3600} +0000\ndata 4\nEdit\n")
        if commit:
            stream.append(f"from :{commit}\n")
        stream += [f"M 100644 inline {path}\ndata {len(text)}\n{text}\n" for path, text in files.items()]
        if commit % 50 == 49:
            stream.append(f"reset refs/tags/v{commit // 50 + 1}\nfrom :{commit + 1}\n\n")
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input="".join(stream).encode(), check=True)
    return middle


print(f"{commits} commits, {models} models; seconds\n\n| models are | first run | median of 3 |\n|---|---|---|")
for form in ("classes", "manifests"):
    folder = os.path.join(work, form)
    path = f"{folder}.store"
    store(path, history(folder, form))
    times = []
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run([command, "trace", path, "--quiet"], cwd=folder, capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        if done.returncode or "1 commit could have written it" not in done.stdout:
            sys.exit(f"trace: {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"| {form} | {times[0]:.1f} | {statistics.median(times):.1f} |", flush=True)
