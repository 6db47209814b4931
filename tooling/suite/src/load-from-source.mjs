// @ts-check
import { fileURLToPath } from "node:url";
import { createViteServer } from "vitest/node";
import { settings } from "./vitest-settings.mjs";

/**
 * Loads a TypeScript module from source, like tests, in a process started by a test. Call `close` afterwards.
 * @param {URL} module
 * @param {URL} root folder of the package
 * @returns {Promise<{ exports: Record<string, any>, close(): Promise<void> }>}
 */
export async function loadFromSource(module, root) {
  const server = await createViteServer({
    resolve: settings.resolve ?? {},
    ssr: settings.ssr ?? {},
    configFile: false,
    root: fileURLToPath(root),
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    oxc: { target: "node20" },
    optimizeDeps: { noDiscovery: true },
    appType: "custom",
    logLevel: "error",
  });
  return { exports: await server.ssrLoadModule(fileURLToPath(module)), close: () => server.close() };
}
