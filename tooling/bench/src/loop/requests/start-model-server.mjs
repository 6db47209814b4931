// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Starts a model API in a separate process. @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startModelServer() {
  const file = join(import.meta.dirname, "model-server-process.mjs");
  const server = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await once(server.stdout, "data");
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    stop: async () => {
      const ended = once(server, "exit");
      server.stdin.end();
      await ended;
    },
  };
}
