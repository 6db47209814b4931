import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench } from "./environment-bench.ts";
import { operationsAt } from "./operations.ts";

/**
 * File names that have a special meaning in a shell, as an argument of a program, or in a list with one name per line.
 */
const ODD_NAMES = [
  "with space",
  " leading and trailing ",
  "quote's",
  'double"quote',
  "new\nline",
  "carriage\rreturn",
  "tab\t",
  "-rf",
  "--",
  "--help",
  "$(touch planted)",
  "`touch planted`",
  "$HOME",
  "a*b",
  "[ab]",
  "?",
  "{a,b}",
  "back\\slash",
  "\\n",
  "semi;touch planted",
  "am&per|pipe>less<",
  "~",
  "#hash",
  "!bang",
  "%s%n",
  "...",
  "..two",
  "a:1:b",
  "ünï",
  "😀",
  "日本語",
] as const;

const LONGEST = "n".repeat(255);

/** Conformance cases for names of files and folders. */
export const nameCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/names-odd",
    requirement: "loop-4.1-2",
    title: "Writes, reads, reports and lists a file with any name, and executes nothing because of it",
    async check({ environment, writeFiles }) {
      await writeFiles(Object.fromEntries(ODD_NAMES.map((name) => [`odd/${name}`, name])));
      for (const name of ODD_NAMES) {
        assert.equal(await environment.readFile(`odd/${name}`), name);
        assert.equal((await environment.stat(`odd/${name}`)).size, Buffer.byteLength(name), `the size of ${name}`);
      }
      const listed = (await environment.listDirectory("odd")).map(({ name }) => name);
      assert.deepEqual(listed, [...ODD_NAMES].sort());
      assert.deepEqual([await environment.exists("planted"), await environment.exists("odd/planted")], [false, false]);
    },
  },
  {
    id: "environment/names-odd-top",
    requirement: "loop-4.1-2",
    title: "Treats a name that begins with a dash as a name, also without a leading folder",
    async check({ environment, writeFiles }) {
      await writeFiles({ "-rf": "1", "-n": "2", "--help": "3" });
      assert.equal(await environment.readFile("-rf"), "1");
      assert.equal(new TextDecoder().decode(await environment.readBytes("-n")), "2");
      assert.equal((await environment.stat("--help")).kind, "file");
      assert.deepEqual(
        (await environment.listDirectory(".")).map(({ name }) => name),
        ["--help", "-n", "-rf"],
      );
    },
  },
  {
    id: "environment/names-odd-moved",
    requirement: "loop-4.1-2",
    title: "Moves and removes exactly the named file, whatever its name",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ aXb: "kept", a: "kept", n: "kept" });
      for (const name of ODD_NAMES) {
        await environment.writeFile(name, name);
        await environment.rename(name, `moved/${name}/${name}`);
        assert.equal(await environment.readFile(`moved/${name}/${name}`), name);
        await environment.remove(`moved/${name}`);
        await environment.makeDirectory(name);
        await environment.remove(name);
      }
      const names = (await environment.listDirectory(".", 9)).map(({ name }) => name);
      assert.deepEqual(names, ["a", "aXb", "moved", "n"]);
    },
  },
  {
    id: "environment/names-odd-found",
    requirement: ["loop-4.2-11", "loop-4.2-12"],
    title: "Finds a file with any name with grep and glob",
    async check({ environment, writeFiles }) {
      await writeFiles(Object.fromEntries(ODD_NAMES.map((name) => [`odd/${name}`, "needle\n"])));
      const { matches } = await environment.grep("needle");
      assert.deepEqual(matches.map(({ path }) => path).sort(), ODD_NAMES.map((name) => `odd/${name}`).sort());
      assert.deepEqual((await environment.glob("odd/*")).sort(), ODD_NAMES.map((name) => `odd/${name}`).sort());
      for (const name of ODD_NAMES) {
        const found = await environment.grep("needle", { path: `odd/${name}` });
        assert.deepEqual(
          found.matches.map(({ path }) => path),
          [`odd/${name}`],
        );
      }
    },
  },
  {
    id: "environment/names-longest",
    requirement: "loop-4.1-2",
    title: "Accepts a name of 255 bytes",
    async check({ environment, writeFiles }) {
      const wide = "é".repeat(127);
      await writeFiles({ [LONGEST]: "a", [`${wide}/b.txt`]: "b" });
      assert.deepEqual([await environment.readFile(LONGEST), await environment.readFile(`${wide}/b.txt`)], ["a", "b"]);
      assert.deepEqual(
        (await environment.listDirectory(".")).map(({ name }) => name),
        [LONGEST, wide],
      );
    },
  },
  {
    id: "environment/names-unusable",
    requirement: "loop-4.1-2",
    title: "Rejects an empty path, a NUL, a name of 256 bytes and an overlong path with environment.invalid_path",
    async check({ environment }) {
      const paths = [
        "",
        "a\0b",
        "a.txt\0/../../x",
        `${LONGEST}n`,
        `a/${"é".repeat(128)}/b`,
        "x/".repeat(3_000),
        "\ud800",
      ];
      for (const path of paths) {
        for (const [name, operation] of operationsAt(environment, path)) {
          await assertRefusedAs(operation, "invalid_path", `${name} at ${JSON.stringify(path.slice(0, 20))}`);
        }
      }
      assert.deepEqual(await environment.listDirectory("."), []);
    },
  },
];
