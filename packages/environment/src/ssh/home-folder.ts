import { randomUUID } from "node:crypto";
import type { RemotePlace } from "../remote/remote-place.ts";

/** The folder that a login begins in. Rejects with what the place says where it cannot be reached. */
export async function findHomeFolder(place: RemotePlace): Promise<string> {
  // Settings of the login shell may print something before.
  const key = randomUUID();
  await using process = await place.start(`cd && printf '%s\\n%s\\n' ${key} "$(pwd -P)"`);
  const [stdout, stderr, { exitCode }] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ]);
  const begin = stdout.indexOf(`${key}\n`);
  if (exitCode !== 0 || begin === -1) throw place.explain({ exitCode, stderr });
  return stdout.slice(begin + key.length + 1).replace(/\n$/, "");
}
