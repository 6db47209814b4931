import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A credentials file with a text and permissions, removed after the test. */
export async function credentialsFileOf(text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-credentials-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "credentials.yaml");
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}
