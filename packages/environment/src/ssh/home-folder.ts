import type { RemoteBackend } from "../remote/remote-backend.ts";

/**
 * Resolves with the folder in which a login on the machine starts. Rejects with the backend's error if the machine is
 * unreachable.
 */
export async function findHomeFolder(backend: RemoteBackend): Promise<string> {
  await using process = await backend.start("cd && pwd -P");
  const [stdout, stderr, { exitCode }] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ]);
  if (exitCode !== 0 || !stdout.startsWith("/")) throw backend.explain({ exitCode, stderr });
  return stdout.replace(/\n$/, "");
}
