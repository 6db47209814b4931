import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ended, makeFolder, switchyard } from "./start-switchyard.ts";

/** Environment with a key for the simulated model. */
export const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Creates a user with settings and a project folder with settings. */
export async function makeUserAndProject({ user, project }: { user?: string; project?: string } = {}) {
  const home = await makeFolder();
  const cwd = await makeFolder(project === undefined ? {} : { "switchyard.yaml": project });
  await mkdir(join(home, ".config/switchyard"), { recursive: true });
  if (user !== undefined) await writeFile(join(home, ".config/switchyard/config.yaml"), user);
  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    switchyard(words, { cwd, env: { HOME: home, ...env } });
  return { home, cwd, run };
}
