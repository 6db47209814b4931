import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import type { SceneResult } from "./scene.ts";

/** Not below `/tmp`, which a sandbox replaces. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache");
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Makes every IPv4 and IPv6 address local, so that a server on all addresses receives whatever is sent anywhere. */
const ROUTES = "ip route add local default dev lo && ip -6 route add local default dev lo";

/** Bundles the scene and runs it in a network namespace with a resolver of its own. */
export async function runScene(): Promise<SceneResult> {
  const folder = mkdtempSync(join(tmpdir(), "egress-scene-"));
  mkdirSync(CACHE, { recursive: true });
  const workspaces = mkdtempSync(join(CACHE, "egress-"));
  try {
    await using bundle = await rolldown({
      input: join(import.meta.dirname, "scene.ts"),
      platform: "node",
      transform: { target: "node20.19" },
      resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
      onLog: () => {},
    });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "scene.mjs" });
    const resolver = join(folder, "resolv.conf");
    writeFileSync(resolver, "nameserver 127.0.0.53\noptions timeout:1 attempts:1\n");
    const namespaces = [
      "--unshare-user",
      "--uid",
      "0",
      "--gid",
      "0",
      "--unshare-net",
      "--unshare-pid",
      "--cap-add",
      "ALL",
    ];
    const mounts = ["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", resolver, "/etc/resolv.conf"];
    const command = `${ROUTES} && exec "$0" "$1" "$2"`;
    const argv = [
      ...namespaces,
      ...mounts,
      "--die-with-parent",
      "sh",
      "-c",
      command,
      process.execPath,
      join(folder, "scene.mjs"),
      workspaces,
    ];
    const { stdout } = await promisify(execFile)("bwrap", argv, { maxBuffer: MAX_OUTPUT, encoding: "utf8" });
    return JSON.parse(stdout);
  } finally {
    for (const path of [folder, workspaces]) rmSync(path, { recursive: true, force: true });
  }
}
