import { isSecretName, looksLikeCredential } from "@switchyard/secrets";
import { isBuiltIn, KWARGS_PREFIX, SENSITIVE_VARIABLES, STRUCTURES } from "./built-in-variables.ts";
import { parseTemplate, problemOfMissing, type ReferenceToken, type Template, type TemplateToken } from "./template.ts";

/** Variables of the environment by name. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** Where a text stands, which decides what it may refer to. */
export interface TemplateRules {
  /** Whether it ends up on a command line or in an address, which others can read. */
  readonly isExposed: boolean;
  /** Whether it may be a structure, on its own. */
  readonly mayBeStructure?: boolean | undefined;
  /** Further built-in names that mean nothing here. */
  readonly unknownNames?: readonly string[] | undefined;
}

/** A text whose references to the environment are resolved; those to built-in variables are left for the run. */
export interface ResolvedTemplate {
  readonly template: Template;
  /** What is wrong with it, one sentence each, without secrets. */
  readonly problems: readonly string[];
}

const INSTEAD = "hand it over by engine.custom.env or a header instead";

/**
 * Takes a text of the configuration apart and puts in what the environment has. What was put in is not searched for
 * references again. custom-engine: environment variable references, credential handling.
 */
export function resolveTemplate(text: string, env: EnvironmentRecord, rules: TemplateRules): ResolvedTemplate {
  const parsed = parseTemplate(text);
  const problems: string[] = [];
  const resolved = parsed.map((token): TemplateToken => {
    if (token.kind === "literal") return token;
    const refusals = problemsOfReference(token, rules, parsed.length === 1);
    problems.push(...refusals);
    if (isBuiltIn(token.name) || refusals.length > 0) return token;
    // `${constructor}` names a variable like any other, not what every object inherits.
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
      return [`\${${name}} may hold a secret and is refused on command lines and in addresses; ${INSTEAD}`];
    // Said by name: what a default holds is not repeated.
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

/** Whether a variable's name says that it holds a secret. */
function isSensitive(name: string): boolean {
  if (name.startsWith(KWARGS_PREFIX)) return isSecretName(name.slice(KWARGS_PREFIX.length));
  return isBuiltIn(name) ? SENSITIVE_VARIABLES.has(name) : isSecretName(name);
}

function problemsOfLiterals(template: Template): string[] {
  const hasCredential = template.some((token) => token.kind === "literal" && looksLikeCredential(token.text));
  if (!hasCredential) return [];
  return [
    `it holds a text in the form of a credential, which is refused on command lines and in addresses; ${INSTEAD}`,
  ];
}

/** A credential must not hide in the seam between two pieces. */
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
