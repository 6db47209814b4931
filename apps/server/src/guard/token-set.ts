import { createHash, timingSafeEqual } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import type { Caller } from "./caller.ts";
import { isRole, ROLES, type Role } from "./role.ts";

/** Minimum length of a token, in characters. */
const MIN_CHARACTERS = 16;
const HASH = /^sha256:([0-9a-f]{64})$/iu;
/** Matches a token whose characters are all allowed in an HTTP header. */
const TOKEN = /^[\x21-\x7e]+$/u;
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/u;
/**
 * Roles of a token whose line in the token file names no roles. With them, a single user can start runs and approve the
 * runs' tool calls.
 */
const DEFAULT_ROLES: readonly Role[] = ["runner", "approver"];
/**
 * Length of the part of a token's hash that identifies the token in logs. If the token's line names no owner, this part
 * is the owner's name.
 */
const OWNER_CHARACTERS = 16;

/** Tokens of a server's callers. */
export interface TokenSet {
  /**
   * Returns the caller whose token an `Authorization` header contains. `undefined` if the header contains no valid
   * token.
   */
  callerOf(authorization: string | undefined): Caller | undefined;
  /** All callers that have a token. */
  readonly callers: readonly Caller[];
}

interface Entry {
  readonly hash: Buffer;
  readonly caller: Caller;
}

/**
 * Parses a token file. Each line contains a token, in plain text or as `sha256:` and its hexadecimal hash, optionally
 * followed by `owner=NAME` and `roles=runner,approver`. Empty lines and lines that start with `#` are skipped. Tokens
 * with the same owner access the same runs. Without an owner, each token is a separate owner. Only hashes are stored in
 * memory. Throws `server.invalid_tokens`, which contains line numbers but no tokens.
 */
export function parseTokens(text: string, path: string): TokenSet {
  const entries: Entry[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const [token, ...marks] = line.trim().split(/\s+/u);
    if (token === undefined || token === "" || token.startsWith("#")) continue;
    const fail = (problem: string): never => {
      throw new EngineError("server.invalid_tokens", { path, problem: `line ${index + 1} ${problem}` });
    };
    const hash = hashOfEntry(token, fail);
    entries.push({ hash, caller: callerOfMarks(marks, hash, fail) });
  }
  if (entries.length === 0) throw new EngineError("server.invalid_tokens", { path, problem: "it has no token" });
  return {
    callerOf: (authorization) => find(authorization, entries),
    callers: entries.map(({ caller }) => caller),
  };
}

function hashOfEntry(entry: string, fail: (problem: string) => never): Buffer {
  const [, hash] = HASH.exec(entry) ?? [];
  if (hash !== undefined) return Buffer.from(hash, "hex");
  const problem = problemOf(entry);
  return problem === undefined ? hashOf(entry) : fail(problem);
}

function problemOf(entry: string): string | undefined {
  if (entry.toLowerCase().startsWith("sha256:")) return "is not a SHA-256 hash in hexadecimal";
  if (!TOKEN.test(entry)) return "has characters that a header cannot carry";
  return entry.length < MIN_CHARACTERS ? `is shorter than ${MIN_CHARACTERS} characters` : undefined;
}

function callerOfMarks(marks: readonly string[], hash: Buffer, fail: (problem: string) => never): Caller {
  const shortHash = hash.toString("hex").slice(0, OWNER_CHARACTERS);
  let owner = `token-${shortHash}`;
  let roles = DEFAULT_ROLES;
  for (const mark of marks) {
    const [, name, value = ""] = /^(owner|roles)=(.*)$/u.exec(mark) ?? [];
    if (name === "owner" && OWNER.test(value)) owner = value;
    else if (name === "roles") {
      roles = value.split(",").filter(isRole);
      if (roles.length !== value.split(",").length) fail(`names an unknown role; the roles are ${ROLES.join(", ")}`);
    } else fail("has more after its token than owner=NAME and roles=runner,approver");
  }
  return { owner, roles: new Set(roles), subject: `token:${shortHash}` };
}

function find(authorization: string | undefined, entries: readonly Entry[]): Caller | undefined {
  const [, token] = /^bearer +(\S+)$/iu.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const presentedHash = hashOf(token);
  let found: Caller | undefined;
  // All tokens are compared in constant time, so that the duration does not reveal which token matched.
  for (const { hash, caller } of entries) found = timingSafeEqual(hash, presentedHash) ? caller : found;
  return found;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
