// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const FOLDERS = ["packages", "apps", "docs", "node_modules/typescript/lib", "tooling", "scripts"];
const TEXT = /\.(?:ts|tsx|mjs|md|json|css|html|yaml)$/;
// Intentional credentials of tests and recordings, and generated bundles.
const EXCLUDED =
  /(?:^|\/)(?:node_modules|dist|built|\.git|etc|fixtures|results)(?:\/|$)|\.test\.ts$|\/test\/|redaction|secrets|testkit/;

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const found = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (EXCLUDED.test(path.replace(/^node_modules\/typescript\//, "typescript/"))) continue;
    if (entry.isDirectory()) found.push(...filesIn(path));
    else if (entry.isFile() && TEXT.test(entry.name)) found.push(path);
  }
  return found.sort();
}

/** @param {() => number} random */
function logLine(random) {
  /** @param {readonly string[]} words */
  const pick = (words) => words[Math.floor(random() * words.length)] ?? "";
  const hex = (/** @type {number} */ length) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const time = `2026-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}T08:${10 + Math.floor(random() * 50)}:00.${hex(1)}Z`;
  return pick([
    `${time} INFO  server listening on http://127.0.0.1:${3000 + Math.floor(random() * 5000)}/api?page=${Math.floor(random() * 99)}&sort=name`,
    `${time} DEBUG GET /v1/runs/${hex(8)}-${hex(4)}-${hex(4)} 200 ${Math.floor(random() * 900)}ms tokens=${Math.floor(random() * 9000)} max_tokens=4096`,
    `commit ${hex(40)} (HEAD -> main) author: Ada Lovelace <ada@example.org>`,
    ` ✓ src/parser/parse-${pick(["token", "key", "auth", "secret"])}.test.ts (${Math.floor(random() * 90)} tests) ${Math.floor(random() * 900)}ms`,
    `npm warn deprecated glob@${Math.floor(random() * 9)}.2.3: key: value pairs are no longer supported`,
    `  "integrity": "sha512-${hex(40)}${hex(40)}==",`,
    `sha256:${hex(64)} Pulling fs layer`,
    `error TS2322: Type 'string' is not assignable to type 'Token'. at token: string (src/a.ts:${Math.floor(random() * 400)}:7)`,
    `remote: Counting objects: 100% (${Math.floor(random() * 900)}/${Math.floor(random() * 900)}), done.`,
  ]);
}

/**
 * Returns ordinary text: sources, documentation and generated logs.
 * @param {number} maxChars
 * @param {() => number} random
 * @returns {readonly { name: string, text: string }[]}
 */
export function readCorpus(maxChars, random) {
  const logs = Array.from({ length: Math.ceil(maxChars / 1000) }, () => logLine(random)).join("\n");
  const parts = [{ name: "generated logs", text: logs }];
  let chars = logs.length;
  const lists = FOLDERS.map(filesIn);
  // Alternates between folders, so that a short corpus contains some of each.
  for (let index = 0; chars < maxChars && lists.some((list) => index < list.length); index += 1) {
    for (const list of lists) {
      const name = list[index];
      if (name === undefined || chars >= maxChars) continue;
      const text = readFileSync(join(ROOT, name), "utf8").slice(0, 200_000);
      parts.push({ name, text });
      chars += text.length;
    }
  }
  return parts;
}
