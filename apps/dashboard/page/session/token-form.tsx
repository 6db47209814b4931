import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { isToken } from "./connection.ts";

/** Explains why a token is needed. `refused`: the server did not accept the current token. */
export type TokenReason = "missing" | "refused";

const NO_TOKEN = "This is not a token. A token has no spaces and only ASCII characters; check what you pasted.";
const REFUSED = "The server does not accept this token. Check that it is complete and was not revoked.";

/** Form that asks the user for a token. */
export function TokenForm({ reason, onToken }: { reason: TokenReason; onToken: (token: string) => void }): JSX.Element {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState(reason === "refused" ? REFUSED : "");
  const submit = (): void => {
    const trimmed = token.trim();
    if (trimmed === "") return;
    if (isToken(trimmed)) onToken(trimmed);
    else setProblem(NO_TOKEN);
  };
  return (
    <form
      class="card narrow"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h1 tabIndex={-1}>Sign in</h1>
      <p>
        This server accepts only callers with a token. The operator keeps the tokens in the file that{" "}
        <code>switchyard serve --tokens</code> names.
      </p>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <Problem text={problem} />
      <div class="row">
        <button type="submit" class="primary">
          Sign in
        </button>
        <span class="faint">Stored until this tab is closed.</span>
      </div>
    </form>
  );
}
