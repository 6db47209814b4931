import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";

/** Form that asks the user for a token. */
export function TokenForm({ why, onToken }: { why: string; onToken: (token: string) => void }): JSX.Element {
  const [token, setToken] = useState("");
  return (
    <form
      class="card narrow"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== "") onToken(token.trim());
      }}
    >
      <h1 tabIndex={-1}>Sign in</h1>
      <p>This server takes requests with a token only. It is kept in this tab and forgotten with it.</p>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <Problem text={why} />
      <div class="row">
        <button type="submit" class="primary">
          Sign in
        </button>
      </div>
    </form>
  );
}
