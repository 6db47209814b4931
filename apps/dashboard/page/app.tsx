import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CompareView } from "./compare/compare-view.tsx";
import { ThemeButton } from "./controls/theme-button.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsView } from "./runs/runs-view.tsx";
import { connect, isToken, storedToken, storeToken } from "./session/connection.ts";
import { SessionContext } from "./session/session.ts";
import { TokenForm } from "./session/token-form.tsx";
import { type Place, placeOf } from "./text/href.ts";

function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => placeOf(hash), [hash]);
}

function View({ place }: { place: Place }): JSX.Element {
  if (place.view === "run") return <RunPage key={place.runId} runId={place.runId} tab={place.tab} />;
  if (place.view === "compare") return <CompareView key={`${place.left} ${place.right}`} {...place} />;
  return <RunsView />;
}

/**
 * Moves the focus to the heading and scrolls to the top when the view changes, like a browser does when a page is
 * loaded.
 */
function useFocusOn(view: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus();
  }, [view]);
}

/** Root component of the dashboard. */
export function App(): JSX.Element {
  const place = usePlace();
  const [token, setToken] = useState(storedToken);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const session = useMemo(() => {
    // If no token was entered yet, the token form shows no error.
    return { connection: connect(token), onUnauthorized: (why: string) => setRefusal(token === "" ? "" : why) };
  }, [token]);
  useFocusOn(place.view === "run" ? place.runId : place.view);
  const take = (given: string): void => {
    if (given !== "" && !isToken(given)) {
      setRefusal("This is no token: a token is one word of letters, digits and signs, without a space in it.");
      return;
    }
    storeToken(given);
    setToken(given);
    setRefusal(undefined);
  };
  return (
    <SessionContext.Provider value={session}>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes somewhere, only not by the address. */}
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to the content
      </a>
      <header class="bar">
        <a href="#/" class="brand">
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M3 18h5l8-12h5M3 6h5l3 4.500M16 18h5" fill="none" stroke="currentColor" stroke-width="2" />
          </svg>
          Switchyard
        </a>
        <nav aria-label="Main">
          <a href="#/" class="bar-link" aria-current={place.view === "runs" ? "page" : undefined}>
            Runs
          </a>
        </nav>
        <span class="grow" />
        {token !== "" && (
          <button type="button" class="quiet" onClick={() => take("")}>
            Sign out
          </button>
        )}
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        {refusal === undefined ? <View place={place} /> : <TokenForm why={refusal} onToken={take} />}
      </main>
    </SessionContext.Provider>
  );
}

/**
 * Moves the focus to the main content. A plain link to `#main` cannot be used, because the URL fragment names the view.
 */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}
