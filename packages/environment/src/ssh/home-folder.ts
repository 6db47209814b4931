import type { RemoteBackend } from "../remote/remote-backend.ts";

/** The folder that a login begins in. Rejects with what the place says where it cannot be reached. */
export async function findHomeFolder(place: RemoteBackend): Promise<string> {
  await using process = await place.start("cd && pwd -P");
  const [stdout, stderr, { exitCode }] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ]);
  if (exitCode !== 0 || !stdout.startsWith("/")) throw place.explain({ exitCode, stderr });
  return stdout.replace(/\n$/, "");
}
