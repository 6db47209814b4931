import { expect } from "vitest";
import { type ParityRow, TASK } from "./parity-row.ts";
import type { Scene } from "./scene.ts";
import type { Script } from "./scripted-provider.ts";
import { WIRE_FORMATS } from "./wire-view.ts";
import { type Call, patchOf } from "./wording.ts";

const FILES = {
  "main.py": 'import os\n\ndef greet():\n    print("one")\n\ndef main():\n    print("one")\n    return 0\n',
  "old.txt": "kept\nreplaced\n",
  "gone.txt": "gone\n",
};

const PATCH = patchOf(
  "*** Add File: pkg/new.txt",
  "+added",
  "*** Update File: main.py",
  "@@ def main():",
  '-    print("one")',
  "-    return 0",
  '+    print("two")',
  "+    return 1",
  "*** Update File: old.txt",
  "*** Move to: pkg/moved.txt",
  "@@",
  " kept",
  "-replaced",
  "+new",
  "*** Delete File: gone.txt",
);

function toolOf({ wording }: Scene): { name: string; parameters: readonly string[] } {
  const { name, args } = wording.edit("", { from: "", to: "" });
  return { name, parameters: Object.keys(args) };
}

/** A patch with every kind of operation. */
function patchScript(scene: Scene): Script {
  const { name, parameters } = toolOf(scene);
  const [parameter = ""] = parameters;
  return { [TASK]: [{ calls: [{ name, args: { [parameter]: PATCH } }] }, { say: "Patched." }] };
}

/** A text that occurs twice: refused, then made unique, then replaced everywhere. */
function replaceScript({ wording, family, naming }: Scene): Script {
  const twice = wording.edit("main.py", { from: 'print("one")', to: 'print("$&")' });
  const unique = wording.edit("main.py", {
    from: '    print("one")\n    return 0',
    to: '    print("one")\n    return 1',
  });
  const everywhere = family === "gemini" && naming === "native" ? "allow_multiple" : "replace_all";
  const all: Call = { name: twice.name, args: { ...twice.args, [everywhere]: true } };
  return { [TASK]: [{ calls: [twice] }, { calls: [unique] }, { calls: [all] }, { say: "Edited." }] };
}

async function checkPatch({ workspace, results }: Scene): Promise<void> {
  expect(await workspace.read("pkg/new.txt")).toBe("added\n");
  expect(await workspace.read("main.py")).toBe(
    'import os\n\ndef greet():\n    print("one")\n\ndef main():\n    print("two")\n    return 1\n',
  );
  expect(await workspace.read("pkg/moved.txt")).toBe("kept\nnew\n");
  expect([await workspace.exists("old.txt"), await workspace.exists("gone.txt")]).toEqual([false, false]);
  for (const path of ["pkg/new.txt", "main.py", "pkg/moved.txt", "gone.txt"]) {
    expect(results[0]?.content).toContain(path);
  }
}

async function checkReplacements(scene: Scene): Promise<void> {
  expect(await scene.workspace.read("main.py")).toBe(
    'import os\n\ndef greet():\n    print("$&")\n\ndef main():\n    print("$&")\n    return 1\n',
  );
  expect(scene.eventsOf("tool_call_end").map(({ is_error }) => is_error)).toEqual([true, false, false]);
  expect(scene.results[2]?.content).toContain("2 occurrences");
}

/** The row about the file editing format of each family. */
export const EDITING_ROW: ParityRow = {
  row: 15,
  title: "the provider's own editing format works [loop-9.12-15]",
  files: FILES,
  inputs: [TASK],
  script: (scene) => (scene.family === "openai" ? patchScript(scene) : replaceScript(scene)),
  async check(scene) {
    const offered = WIRE_FORMATS[scene.family].toolNames(scene.provider.requests[0]?.body);
    const editors = offered.filter((name) => ["apply_patch", "edit_file", "Edit", "replace"].includes(String(name)));
    expect(editors).toEqual([toolOf(scene).name]);
    await (scene.family === "openai" ? checkPatch(scene) : checkReplacements(scene));
  },
};
