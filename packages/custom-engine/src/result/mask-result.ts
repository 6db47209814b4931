import type { SessionArtifactFile, SessionResult } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";

/** A result without the secrets of the call, before it leaves the engine. custom-engine: credential handling. */
export function maskResult(result: SessionResult, masker: Masker): SessionResult {
  const { artifacts, ...rest } = result;
  const masked = masker.maskData(rest);
  if (artifacts === undefined) return masked;
  const { files, generated_files, ...texts } = artifacts;
  return {
    ...masked,
    artifacts: {
      ...masker.maskData(texts),
      // Names of files: masked, they would name others.
      ...(generated_files === undefined ? {} : { generated_files }),
      ...(files === undefined ? {} : { files: files.map((file) => maskFile(file, masker)) }),
    },
  };
}

function maskFile(file: SessionArtifactFile, masker: Masker): SessionArtifactFile {
  const content = file.content === undefined ? {} : { content: masker.mask(file.content) };
  return { ...file, name: masker.mask(file.name), ...content };
}
