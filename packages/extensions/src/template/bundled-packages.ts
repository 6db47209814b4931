import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Tarball of one package, in a folder of packages that are bundled with the program. */
interface BundledPackage {
  readonly file: string;
  /** Names of the bundled packages on which this package depends directly. */
  readonly dependencies: readonly string[];
}

/** Folder in a new package that contains the tarballs of its dependencies. */
const VENDOR = "vendor";

/** Fields of a `package.json` that determine what npm installs. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Replaces the Switchyard dependencies of a new package with tarballs in the package's folder `vendor`. The package can
 * then be installed although the dependencies are not published. Resolves with the new `package.json` and the paths of
 * the copied files, relative to `target`.
 */
export async function vendorPackages(
  manifestText: string,
  { folder, target }: { folder: string; target: string },
): Promise<{ manifestText: string; files: string[] }> {
  const bundled: Readonly<Record<string, BundledPackage>> = JSON.parse(
    await readFile(join(folder, "index.json"), "utf8"),
  );
  const manifest: Manifest = JSON.parse(manifestText);
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => name in bundled,
  );
  const all = withDependencies(direct, bundled);
  await mkdir(join(target, VENDOR), { recursive: true });
  await Promise.all(all.map(({ file }) => copyFile(join(folder, file), join(target, VENDOR, file))));
  const specs = Object.fromEntries(all.map(({ name, file }) => [name, `file:${VENDOR}/${file}`]));
  // npm takes indirect dependencies from the registry unless an override names them.
  const overrides = Object.fromEntries(Object.entries(specs).filter(([name]) => !direct.includes(name)));
  const vendored = {
    ...manifest,
    dependencies: replaceSpecs(manifest.dependencies, specs),
    devDependencies: replaceSpecs(manifest.devDependencies, specs),
    overrides,
  };
  return {
    manifestText: `${JSON.stringify(vendored, null, 2)}\n`,
    files: all.map(({ file }) => `${VENDOR}/${file}`),
  };
}

/** Returns packages and all their direct and indirect dependencies, without duplicates. */
function withDependencies(
  names: readonly string[],
  bundled: Readonly<Record<string, BundledPackage>>,
): { name: string; file: string }[] {
  const found = new Set(names);
  for (const name of found) for (const dependency of bundled[name]?.dependencies ?? []) found.add(dependency);
  return [...found].sort().flatMap((name) => {
    const file = bundled[name]?.file;
    return file === undefined ? [] : [{ name, file }];
  });
}

function replaceSpecs(
  dependencies: Readonly<Record<string, string>> | undefined,
  specs: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies ?? {}).map(([name, version]) => [name, specs[name] ?? version]),
  );
}
