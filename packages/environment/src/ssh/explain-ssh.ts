import { EngineError } from "@switchyard/contracts";
import type { ClientFailure } from "../remote/remote-backend.ts";
import type { LoginProblem } from "./login-probe.ts";
import type { ConnectionFailure } from "./ssh-connection.ts";

/** Exit code of the ssh client if ssh itself failed, as opposed to the command. */
const SSH_FAILED = 255;
const FILES = "(~/.bashrc, ~/.zshenv, ~/.cshrc, ~/.config/fish/config.fish)";

/**
 * For each reason why a login shell cannot run commands: an explanation with a remedy. The explanations contain no
 * output of the shell.
 */
const LOGIN_PROBLEMS: Readonly<Record<LoginProblem, string>> = {
  ended: `the login shell ended before it ran a command. Either its start file ${FILES} ends shells that are not interactive, or the account allows no commands. Make sure that \`ssh HOST true\` succeeds`,
  replaced: `the start file of the login shell ${FILES} replaces it with another shell, so commands are not run. Do that for interactive shells only`,
  reads_input: `the start file of the login shell ${FILES} reads standard input, which belongs to the command. Do that for interactive shells only`,
  silent: `the login shell did not run a command in time. Its start file ${FILES} waits for something, redirects the output, or is too slow. Make sure that \`ssh HOST true\` ends quickly`,
};

const DROPPED = "the connection was dropped; try again";

/**
 * Patterns of error messages of ssh, each with an explanation for the user. The original message is not reported,
 * because it may contain lines of configuration or key files.
 */
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
  [/Could not resolve hostname|Name or service not known/, "no host has this name; check the name"],
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

/** Returns the error for a failure of the ssh client itself, as opposed to the command. */
export function explainSsh(environment: string, { exitCode, stderr }: ClientFailure): EngineError {
  // If a connection breaks, the ssh client of a session exits without a message.
  const unknown = stderr.trim() === "" ? DROPPED : `ssh ended with code ${exitCode}; try \`ssh\` by hand`;
  const [, problem = unknown] = MEANINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  return new EngineError("environment.unavailable", { environment, problem });
}

/** Returns the error that explains why a connection failed, or why it cannot run commands. */
export function explainConnection(environment: string, failure: ConnectionFailure): EngineError {
  const isLogin = failure.login !== "ended" || failure.exitCode !== SSH_FAILED;
  if (!isLogin) return explainSsh(environment, failure);
  return new EngineError("environment.unavailable", { environment, problem: LOGIN_PROBLEMS[failure.login] });
}
