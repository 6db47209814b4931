import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../src/repository.mjs";

// By URL: scripts/ belongs to no package that could be imported.
const { getDependencyReleaseLine, getReleaseLine } = await import(
  pathToFileURL(join(ROOT, "scripts/changelog.mjs")).href
);

test("a note of one paragraph is a list item, and a longer note is printed as it is", async () => {
  expect(await getReleaseLine({ summary: "Resume runs\nwith `resume`." })).toBe("- Resume runs\n  with `resume`.");
  const sections = "First release.\n\n- Run agents.\n- Resume runs.";
  expect(await getReleaseLine({ summary: sections })).toBe(`${sections}\n`);
});

test("updated dependencies are one line, and first versions are not mentioned", async () => {
  const first = { name: "@switchyard/web", oldVersion: "0.0.0", newVersion: "0.1.0" };
  const next = { name: "@switchyard/llm", oldVersion: "0.1.0", newVersion: "0.1.1" };
  expect(await getDependencyReleaseLine([], [first])).toBe("");
  expect(await getDependencyReleaseLine([], [first, next])).toBe("- Updated dependencies: @switchyard/llm 0.1.1");
});
