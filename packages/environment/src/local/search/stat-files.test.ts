import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TimeSlicer } from "../../search/time-slicer.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import type { LocalWorkspace } from "../workspace/pin-path.ts";
import { availableConfinement } from "../workspace/pin-path.ts";
import type { SearchScope } from "./search-scope.ts";
import { openSearchScope } from "./search-scope.ts";
import { statFiles } from "./stat-files.ts";

const FOLDERS = Array.from({ length: 20 }, (_, index) => `folder-${index}`);
const DAY_MS = 86_400_000;
const NO_DESCRIPTORS = "only Linux returns the path of a file descriptor";
const later = (): number => Date.now() + DAY_MS;

/**
 * Opens a search scope for twenty folders with one file each. A folder outside the workspace contains the file
 * `secret`.
 */
async function openScope(
  confinement: LocalWorkspace["confinement"],
): Promise<{ scope: SearchScope; root: string; outside: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "look-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [root, outside] = [join(folder, "root"), join(folder, "outside")];
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "");
  for (const name of FOLDERS) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "file"), "");
  }
  const scope = await openSearchScope({ real: root, style: "posix", confinement }, root);
  onTestFinished(() => scope.folder[Symbol.asyncDispose]());
  return { scope, root, outside };
}

/** Waits until the clock of the file system has advanced, which advances in steps. */
function awaitNextTick(root: string): void {
  const before = statSync(root).ctimeMs;
  const probe = join(root, "folder-0", "probe");
  for (let after = before; after <= before; after = statSync(probe).ctimeMs) writeFileSync(probe, "");
}

/** Creates a time slicer that calls `work` before the given check of the time slice. */
function interruptTurns(at: number, work: () => void): TimeSlicer {
  let looks = 0;
  return {
    isOver() {
      looks += 1;
      if (looks === at) work();
      return false;
    },
    next: async () => {},
  };
}

const paths = [...FOLDERS.map((name) => `${name}/file`), "folder-5/secret", "folder-15/secret", "gone/file"];

test.for(["descriptor", "realpath"] as const)(
  "existing files are found in folders of any age (%s)",
  async (confinement, { skip }) => {
    skip(confinement === "descriptor" && availableConfinement() !== "descriptor", NO_DESCRIPTORS);
    const { scope } = await openScope(confinement);
    for (const now of [later, Date.now]) {
      const found = await statFiles(scope, paths, { turns: createTimeSlicer(), now });
      expect(found.map(({ path }) => path)).toEqual(paths.slice(0, FOLDERS.length));
    }
  },
);

test("a folder replaced by a link between two checks does not lead outside the workspace", async ({ skip }) => {
  skip(availableConfinement() !== "descriptor", NO_DESCRIPTORS);
  const { scope, root, outside } = await openScope("descriptor");
  const swap = (): void => {
    awaitNextTick(root);
    renameSync(join(root, "folder-15"), join(root, "kept"));
    symlinkSync(outside, join(root, "folder-15"));
  };
  const turns = interruptTurns(3, swap);
  const found = await statFiles(scope, paths, { turns, now: later });
  expect(found.map(({ path }) => path)).toEqual(
    FOLDERS.filter((name) => name !== "folder-15").map((name) => `${name}/file`),
  );
});
