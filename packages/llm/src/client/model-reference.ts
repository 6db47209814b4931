import { EngineError } from "@switchyard/contracts";

/** A provider and one of its models. */
export interface ModelReference {
  /** Name of the provider in the client. */
  provider: string;
  /** The vendor's own model id. */
  model: string;
}

/** Parses `provider/name`. The name may contain further slashes. Throws `model.invalid_name`. */
export function parseModelReference(text: string): ModelReference {
  const reference = text.trim();
  const slash = reference.indexOf("/");
  const provider = reference.slice(0, Math.max(slash, 0));
  const model = reference.slice(slash + 1);
  if (
    !/^[a-zA-Z0-9_.-]+$/.test(provider) ||
    model === "" ||
    /\s/.test(model) ||
    model.endsWith("/") ||
    model.startsWith("/")
  ) {
    throw new EngineError("model.invalid_name", { model: text });
  }
  return { provider, model };
}
