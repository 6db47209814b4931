import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BoardView } from "./board/board-view.tsx";
import { CompareView } from "./compare/compare-view.tsx";
import { useTheme } from "./controls/use-theme.ts";
import { type Command, Palette } from "./palette/palette.tsx";
import { areShortcutsOn, switchShortcuts, useShortcuts } from "./palette/use-shortcuts.ts";
import { RunPage } from "./run/run-page.tsx";
import { NewRun } from "./runs/new-run.tsx";
import { RunsView } from "./runs/runs-view.tsx";
import { connect, storedToken, storeToken } from "./session/connection.ts";
import { SessionContext } from "./session/session.ts";
import { TokenForm, type TokenReason } from "./session/token-form.tsx";
import { TopBar } from "./session/top-bar.tsx";
import { parseRoute, type Route } from "./text/href.ts";
import { TrendsView } from "./trends/trends-view.tsx";

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => parseRoute(hash), [hash]);
}

function View({ route, onNew }: { route: Route; onNew: () => void }): JSX.Element {
  switch (route.view) {
    case "run":
      return <RunPage key={route.runId} runId={route.runId} tab={route.tab} />;
    case "compare":
      return <CompareView key={`${route.left} ${route.right}`} {...route} />;
    case "board":
      return <BoardView onNew={onNew} />;
    case "trends":
      return <TrendsView />;
    case "runs":
      return <RunsView query={route.query} onNew={onNew} />;
  }
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

/** Token of the page, and why another one is needed. `reason` is `undefined` while the token is accepted. */
function useToken() {
  const [token, setToken] = useState(storedToken);
  const [reason, setReason] = useState<TokenReason | undefined>(undefined);
  const session = useMemo(
    () => ({ connection: connect(token), onUnauthorized: () => setReason(token === "" ? "missing" : "refused") }),
    [token],
  );
  const change = useCallback((token: string): void => {
    storeToken(token);
    setToken(token);
    setReason(undefined);
  }, []);
  return { token, reason, session, change };
}

function goTo(view: string): void {
  location.hash = `#/${view}`;
}

type Overlay = "palette" | "new-run" | undefined;

/** Root component of the dashboard. */
export function App(): JSX.Element {
  const route = useRoute();
  const theme = useTheme();
  const { token, reason, session, change } = useToken();
  const [overlay, setOverlay] = useState<Overlay>(undefined);
  const [openPalette, newRun, close] = useMemo(
    () => [() => setOverlay("palette"), () => setOverlay("new-run"), () => setOverlay(undefined)] as const,
    [],
  );
  useFocusOn(route.view === "run" ? route.runId : route.view);
  useShortcuts({ openPalette, newRun, goTo });
  const isSignedIn = token !== "" && reason === undefined;
  const commands: readonly Command[] = [
    { name: "New run", keys: "n", run: newRun },
    { name: "Go to the board", keys: "b", run: () => goTo("board") },
    { name: "Go to all runs", keys: "r", run: () => goTo("runs") },
    { name: "Go to trends", keys: "t", run: () => goTo("trends") },
    { name: "Runs that need an answer", run: () => goTo("runs?status=waiting") },
    { name: `Change colours to ${theme.next}`, run: theme.change },
    {
      name: `Turn single-key shortcuts ${areShortcutsOn() ? "off" : "on"}`,
      run: () => switchShortcuts(!areShortcutsOn()),
    },
    ...(isSignedIn ? [{ name: "Sign out", run: () => change("") }] : []),
  ];
  return (
    <SessionContext.Provider value={session}>
      {/* biome-ignore lint/a11y/useValidAnchor: the click moves the focus instead of changing the address. */}
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to the content
      </a>
      <TopBar
        view={route.view}
        theme={theme}
        hasAccess={reason === undefined}
        onPalette={openPalette}
        onNew={newRun}
        onSignOut={isSignedIn ? () => change("") : undefined}
      />
      <main id="main" tabIndex={-1}>
        {reason === undefined ? (
          <View route={route} onNew={newRun} />
        ) : (
          <TokenForm key={`${reason} ${token}`} reason={reason} onToken={change} />
        )}
      </main>
      {overlay === "palette" && <Palette commands={commands} onClose={close} />}
      {overlay === "new-run" && <NewRun onClose={close} />}
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
