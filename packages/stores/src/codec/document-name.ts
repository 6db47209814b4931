import { EngineError } from "@switchyard/contracts";

const NAME = /^[a-z0-9-]{1,64}$/;

/** Throws `config.invalid` if a text is not the name of a shared document. */
export function assertDocumentName(name: string): void {
  if (NAME.test(name)) return;
  const problem = "the name of a document needs 1 to 64 lower-case letters, digits and `-`";
  throw new EngineError("config.invalid", { field: "name", problem });
}
