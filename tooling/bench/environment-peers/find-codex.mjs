// @ts-check
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Returns the path of codex's binary, without its package's launcher. @returns {string} */
export function findCodex() {
  const launcher = createRequire(import.meta.url).resolve("@openai/codex/package.json");
  const near = createRequire(launcher);
  const system = `${process.platform}-${process.arch}`;
  const [cpu, os] = [process.arch === "arm64" ? "aarch64" : "x86_64", "unknown-linux-musl"];
  const folder = dirname(near.resolve(`@openai/codex-${system}/package.json`));
  const command = join(folder, "vendor", `${cpu}-${os}`, "bin/codex");
  if (!existsSync(command)) throw new Error(`Codex has no program for ${system}.`);
  return command;
}
