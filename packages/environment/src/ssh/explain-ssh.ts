import { EngineError } from "@switchyard/contracts";
import type { ClientFailure } from "../remote/remote-place.ts";

const DROPPED = "the connection was dropped; try again";

/** What ssh says, and what it means. Its own words are not passed on: they may hold lines of files it was given. */
const MEANINGS: readonly (readonly [said: RegExp, problem: string])[] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    "the key of the host is another than the known one; find out why, then remove the old one with `ssh-keygen -R HOST`",
  ],
  [
    /Host key verification failed|No .* host key is known/,
    "the key of the host is not known; connect once with `ssh` by hand and check it",
  ],
  [
    /Permission denied|Too many authentication failures|No more authentication methods|no mutual signature/i,
    "the login was refused; check the user and the key, and that `ssh` by hand asks for nothing",
  ],
  [/Could not resolve hostname|Name or service not known/, "there is no host of that name; check the name"],
  [
    /Connection refused|timed out|No route to host|Network is unreachable|Connection timed out/,
    "the host does not answer; check that it is up, and the port",
  ],
  [
    /Bad configuration option|terminating, \d+ bad configuration|Bad owner or permissions|Can't open user config|no argument after|missing argument/i,
    "the configuration of ssh is not accepted; try `ssh` by hand with the same configuration",
  ],
  [
    /session request failed|Session open refused|administratively prohibited/i,
    "the host refuses another session on the connection; raise MaxSessions of its sshd",
  ],
  [/Connection (?:closed|reset)|Broken pipe|not responding|mux_client|Control socket|master/i, DROPPED],
];

/** What it means that the client, and not the command, failed. */
export function explainSsh(environment: string, { exitCode, stderr }: ClientFailure): EngineError {
  // A session whose connection breaks says nothing of it.
  const unknown = stderr.trim() === "" ? DROPPED : `ssh ended with code ${exitCode}; try \`ssh\` by hand`;
  const [, problem = unknown] = MEANINGS.find(([said]) => said.test(stderr)) ?? [];
  return new EngineError("environment.unavailable", { environment, problem });
}
