import { type Context, createContext, runInContext } from "node:vm";
import { BROWSER_ARGUMENTS, BROWSER_PATH, NO_BROWSER } from "@switchyard/suite/browser";
import { beforeAll, expect, test } from "vitest";
import type { BrowserBundle } from "./browser/bundle-for-browser.ts";
import { bundleForBrowser } from "./browser/bundle-for-browser.ts";

/** Script that runs in the realm where the bundle is loaded. Its result can be transferred as JSON. */
const SCENARIO = `(async () => {
  const environment = memory.createMemoryEnvironment({ files: { "src/a.ts": "const needle = 1;\\n", ".gitignore": "dist\\n" } });
  await environment.writeFile("dist/b.ts", new TextEncoder().encode("needle\\n"));
  const spawned = await environment.spawn(["tr", "a-z", "A-Z"]);
  const writer = spawned.stdin.getWriter();
  await writer.write(new TextEncoder().encode("spawned"));
  await writer.close();
  const reader = spawned.stdout.getReader();
  const facts = {
    shell: await environment.shell("for f in src/*; do wc -l < $f; done; cat; echo é >&2", { stdin: "in\\n" }),
    exec: await environment.exec(["printf", "%s", "it's; $(x)"]),
    timedOut: (await environment.shell("while true; do :; done", { timeoutMs: 100 })).timedOut,
    spawned: new TextDecoder().decode((await reader.read()).value),
    exited: await spawned.exited,
    grep: (await environment.grep("n..dle")).matches,
    glob: await environment.glob("**/*.ts"),
    outside: await environment.readFile("../etc/passwd").catch((error) => error.code),
    names: [...environment.files().keys()],
  };
  await environment[Symbol.asyncDispose]();
  return JSON.stringify(facts);
})()`;

const EXPECTED = {
  shell: { stdout: "1\nin\n", stderr: "é\n", exitCode: 0 },
  exec: { stdout: "it's; $(x)", exitCode: 0 },
  timedOut: true,
  spawned: "SPAWNED",
  exited: { exitCode: 0 },
  grep: [{ path: "src/a.ts", line: 1, text: "const needle = 1;", isContext: false }],
  glob: ["src/a.ts"],
  outside: "environment.path_outside_workspace",
  names: [".gitignore", "dist/b.ts", "src/a.ts"],
};

let bundle: BrowserBundle;
beforeAll(async () => {
  bundle = await bundleForBrowser();
});

test("an environment in memory is bundled for browsers without a module of Node", () => {
  expect(bundle.imports).toEqual([]);
  expect(bundle.modules.filter((id) => id.includes("/just-bash/"))).toHaveLength(1);
  expect(bundle.modules.filter((id) => id.includes("/src/local/") && !id.endsWith("to-file-error.ts"))).toEqual([]);
});

/** Creates a realm that contains only globals of browsers. */
function createBrowserRealm(): Context {
  // Globals of the test's realm, because the encoder creates its arrays there.
  const globals = { AbortController, AbortSignal, ArrayBuffer, DOMException, Uint8Array, atob, btoa, performance };
  const streams = { ReadableStream, WritableStream, TextDecoder, TextEncoder };
  const timers = { clearInterval, clearTimeout, queueMicrotask, setInterval, setTimeout };
  return createContext({ ...globals, ...streams, ...timers });
}

test("the bundle runs with only the features of browsers", async () => {
  const context = createBrowserRealm();
  runInContext(bundle.code, context);
  expect(runInContext("[typeof process, typeof Buffer, typeof require].join()", context)).toBe(
    "undefined,undefined,undefined",
  );
  const facts: unknown = JSON.parse(await runInContext(SCENARIO, context));
  expect(facts).toMatchObject(EXPECTED);
});

test("without just-bash files and searches work, and commands are unavailable [loop-4.3-3]", async () => {
  const { code, imports } = await bundleForBrowser({ withShell: false });
  expect(imports).toEqual(["just-bash"]);
  const context = createBrowserRealm();
  runInContext(code, context);
  const script = `(async () => {
    const environment = memory.createMemoryEnvironment({ files: { "a.txt": "needle" } });
    const calls = [() => environment.shell(":"), () => environment.exec(["ls"]), () => environment.spawn(["ls"])];
    const problems = await Promise.all(calls.map((call) => call().catch((error) => error.code + ": " + error.message)));
    return JSON.stringify([await environment.grep("needle"), await environment.glob("*"), problems]);
  })()`;
  const facts: unknown = JSON.parse(await runInContext(script, context));
  const error = expect.stringMatching(/^environment\.unavailable: .*npm install just-bash/);
  expect(facts).toMatchObject([{ matches: [{ path: "a.txt" }] }, ["a.txt"], [error, error, error]]);
});

test("the bundle runs in a browser", async ({ skip }) => {
  if (BROWSER_PATH === undefined) return skip(NO_BROWSER);
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: BROWSER_PATH, args: BROWSER_ARGUMENTS });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: bundle.code });
    const facts: unknown = JSON.parse(await page.evaluate<string>(SCENARIO));
    expect(facts).toMatchObject(EXPECTED);
  } finally {
    await browser.close();
  }
});
