import { isSecretName, looksLikeCredential } from "@switchyard/secrets";
import { isBuiltIn, KWARGS_PREFIX, SENSITIVE_VARIABLES, STRUCTURES } from "./built-in-variables.ts";
import { parseTemplate, problemOfMissing, type ReferenceToken, type Template, type TemplateToken } from "./template.ts";

/** Environment variables by name. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** Rules for template references in a text. They depend on what the text is used for. */
export interface TemplateRules {
  /** True for command lines and URLs, which other users and programs can read. */
  readonly isExposed: boolean;
  /**
   * True to allow a text that is a single reference to a JSON object or array, such as `${messages}`. False to report
   * such a reference as a problem. Default: false.
   */
  readonly mayBeStructure?: boolean | undefined;
  /** Further built-in variables that the text must not use. */
  readonly unknownNames?: readonly string[] | undefined;
}

/**
 * A text in which references to environment variables are resolved. References to built-in variables are resolved
 * during the run.
 */
export interface ResolvedTemplate {
  readonly template: Template;
  /** Problems of the template's references, one sentence each, without secrets. */
  readonly problems: readonly string[];
}

const INSTEAD = "hand it over by engine.custom.env or a header instead";

/**
 * Parses a text of the configuration and inserts environment variables. Inserted values are not searched for
 * references. See custom-engine: environment variable references, credential handling.
 */
export function resolveTemplate(text: string, env: EnvironmentRecord, rules: TemplateRules): ResolvedTemplate {
  const parsed = parseTemplate(text);
  const problems: string[] = [];
  const resolved = parsed.map((token): TemplateToken => {
    if (token.kind === "literal") return token;
    const refusals = problemsOfReference(token, rules, parsed.length === 1);
    problems.push(...refusals);
    if (isBuiltIn(token.name) || refusals.length > 0) return token;
    // Only own properties count: `${constructor}` refers to an environment variable, not to an inherited property.
    const value = Object.hasOwn(env, token.name) ? env[token.name] : undefined;
    if (value !== undefined && value !== "") return { kind: "literal", text: value };
    if (token.fallback === undefined) problems.push(problemOfMissing(token));
    return { kind: "literal", text: token.fallback ?? "" };
  });
  const template = joinLiterals(resolved);
  if (rules.isExposed && problems.length === 0) problems.push(...problemsOfLiterals(template));
  return { template, problems };
}

function problemsOfReference(token: ReferenceToken, rules: TemplateRules, isAlone: boolean): string[] {
  const { name, fallback } = token;
  if (name === "") return ["a reference without a name; write ${NAME}"];
  if (rules.unknownNames?.includes(name) === true) return [`\${${name}} is not available here`];
  if (rules.isExposed) {
    if (isSensitive(name))
      return [`\${${name}} may contain a secret and is refused on command lines and in addresses; ${INSTEAD}`];
    // The message gives the variable's name, not its default, which may be a secret.
    if (fallback !== undefined && looksLikeCredential(fallback)) {
      return [
        `the default of ${name} has the form of a credential and is refused on command lines and in addresses; ${INSTEAD}`,
      ];
    }
  }
  if (STRUCTURES.has(name) && !(rules.mayBeStructure === true && isAlone)) {
    const json = `\${${name}_json}`;
    const alone = rules.mayBeStructure === true ? "must be the whole value" : "is a structure, for JSON bodies only";
    return [`\${${name}} ${alone}; write ${json} for its text`];
  }
  return [];
}

/** Returns true if a variable's name indicates a secret. */
function isSensitive(name: string): boolean {
  if (name.startsWith(KWARGS_PREFIX)) return isSecretName(name.slice(KWARGS_PREFIX.length));
  return isBuiltIn(name) ? SENSITIVE_VARIABLES.has(name) : isSecretName(name);
}

function problemsOfLiterals(template: Template): string[] {
  const hasCredential = template.some((token) => token.kind === "literal" && looksLikeCredential(token.text));
  if (!hasCredential) return [];
  return [
    `it contains text that looks like a credential, which is refused on command lines and in addresses; ${INSTEAD}`,
  ];
}

/** Joins adjacent literals, so that a credential split between two of them is detected. */
function joinLiterals(tokens: readonly TemplateToken[]): Template {
  const joined: TemplateToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.kind === "literal" && last?.kind === "literal") {
      joined[joined.length - 1] = { kind: "literal", text: last.text + token.text };
    } else if (token.kind !== "literal" || token.text !== "") {
      joined.push(token);
    }
  }
  return joined;
}
