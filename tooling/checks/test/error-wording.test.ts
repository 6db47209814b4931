import { expect, test } from "vitest";
import { foreignWordings } from "../src/error-wording.mjs";
import { scratchFolder } from "./scratch-folder.ts";

test("a message with a wording to avoid is named with its line; comments and tests are not read", () => {
  const root = scratchFolder({
    "packages/a/src/a.ts": 'const a = 1;\nconst b = "it is no JSON";\n' + `const c = \`it is none of \${b}\`;\n`,
    "apps/b/page/b.tsx": 'const a = "its list of tools is none";\nconst b = "its model would not go on";\n',
    "packages/a/src/a.test.ts": 'const a = "it is no JSON";\n',
    "packages/a/src/b.ts": '// "it is no JSON"\nconst a = "There is no run.";\nconst b = "it is no longer valid";\n',
  });
  expect(foreignWordings(root)).toEqual([
    'packages/a/src/a.ts:2: write "is not a" in: const b = "it is no JSON";',
    `packages/a/src/a.ts:3: write "is not one of: …" in: const c = \`it is none of \${b}\`;`,
    'apps/b/page/b.tsx:1: write "is not one of: …" in: const a = "its list of tools is none";',
    'apps/b/page/b.tsx:2: write "continue" in: const b = "its model would not go on";',
  ]);
});
