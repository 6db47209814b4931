import type { SessionArtifactFile, SessionResult } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { Call } from "../transport/transport.ts";

/**
 * Minimum length of a secret that is searched for, in characters. Shorter values are ignored, because they occur in
 * ordinary text. See custom-engine: credential handling.
 */
const MIN_SECRET_LENGTH = 8;

/** Returns a result with the secrets of the call masked. See custom-engine: credential handling. */
export function maskResult(result: SessionResult, call: Pick<Call, "masker" | "secrets">): SessionResult {
  const { masker } = call;
  const { artifacts, session_id, ...rest } = result;
  const masked = {
    ...masker.maskData(rest),
    ...(session_id === undefined ? {} : { session_id: maskSessionId(session_id, call) }),
  };
  if (artifacts === undefined) return masked;
  const { files, generated_files, ...texts } = artifacts;
  return {
    ...masked,
    artifacts: {
      ...masker.maskData(texts),
      // File names are not masked, because a masked name would refer to another file.
      ...(generated_files === undefined ? {} : { generated_files }),
      ...(files === undefined ? {} : { files: files.map((file) => maskFile(file, masker)) }),
    },
  };
}

function maskFile(file: SessionArtifactFile, masker: Masker): SessionArtifactFile {
  const content = file.content === undefined ? {} : { content: masker.mask(file.content) };
  return { ...file, name: masker.mask(file.name), ...content };
}

/** Masks a session id, unless it is needed unchanged for the next call. */
function maskSessionId(id: string, { masker, secrets }: Pick<Call, "masker" | "secrets">): string {
  const { apiKey, env } = secrets;
  const values = Object.values(env).map((value) => value.reveal());
  const long = values.filter((value) => value.length >= MIN_SECRET_LENGTH);
  const isSecret = [...(apiKey === undefined ? [] : [apiKey.reveal()]), ...long].some((value) => id.includes(value));
  return isSecret ? masker.mask(id) : id;
}
