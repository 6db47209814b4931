import type { Template } from "../template/template.ts";

/**
 * Returns why a configured path is invalid, whatever the values of its template variables are. `undefined` if the path
 * is valid or its validity depends on the variables. See custom-engine: workspace confinement.
 */
export function problemOfPath(template: Template): string | undefined {
  const [first] = template;
  const isLiteral = template.length <= 1 && first?.kind !== "reference";
  const text = first?.kind === "literal" ? first.text : "";
  if (template.some((token) => token.kind === "literal" && token.text.includes("\0")))
    return "it contains a NUL character";
  if (isLiteral && text.trim() === "") return "it is empty";
  return isLiteral && isOutsideRoot(text) ? `path "${text.slice(0, 200)}" escapes the runtime workspace` : undefined;
}

/** Returns true if a relative path leads outside the folder to which it is relative. */
export function isOutsideRoot(path: string): boolean {
  if (path.startsWith("/")) return false;
  let depth = 0;
  for (const step of path.split(/[\\/]/u)) {
    if (step === "..") depth -= 1;
    else if (step !== "" && step !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
