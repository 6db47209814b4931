import type { JSX } from "preact";
import { ThemeButton } from "../controls/theme-button.tsx";
import { usePolling } from "../controls/use-polling.ts";
import type { ThemeState } from "../controls/use-theme.ts";
import type { Route } from "../text/href.ts";
import { useSession } from "./session.ts";

/** Interval at which runs that need an answer are counted, in milliseconds. */
const COUNT_MS = 15_000;

const LINKS: readonly (readonly [view: Route["view"], name: string])[] = [
  ["board", "Board"],
  ["runs", "Runs"],
  ["trends", "Trends"],
];

/** Number of runs that need an answer, next to the link to the board. */
function WaitingCount(): JSX.Element | null {
  const { runs } = useSession().connection.client;
  const { data } = usePolling(
    "waiting",
    (signal) => runs.list({ status: ["awaiting_input"], limit: 1, signal }),
    COUNT_MS,
  );
  if (data === undefined || data.total === 0) return null;
  return (
    <span class="badge">
      {data.total}
      <span class="unseen"> need an answer</span>
    </span>
  );
}

interface BarProps {
  readonly view: Route["view"];
  readonly theme: ThemeState;
  /** False while the server refuses requests, because the token is missing or invalid. */
  readonly hasAccess: boolean;
  readonly onPalette: () => void;
  readonly onNew: () => void;
  /** Deletes the token. `undefined` if the user is not signed in. */
  readonly onSignOut: (() => void) | undefined;
}

/** Bar with the views of the dashboard and the actions that every view offers. */
export function TopBar({ view, theme, hasAccess, onPalette, onNew, onSignOut }: BarProps): JSX.Element {
  return (
    <header class="bar">
      <a href="#/runs" class="brand">
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M3 18h5l8-12h5M3 6h5l3 4.500M16 18h5" fill="none" stroke="currentColor" stroke-width="2" />
        </svg>
        <span class="brand-name">Switchyard</span>
      </a>
      {hasAccess && (
        <nav aria-label="Main">
          {LINKS.map(([name, text]) => (
            <a key={name} href={`#/${name}`} class="bar-link" aria-current={name === view ? "page" : undefined}>
              {text}
              {name === "board" && <WaitingCount />}
            </a>
          ))}
        </nav>
      )}
      <span class="grow" />
      {hasAccess && (
        <>
          <button type="button" class="quiet" onClick={onPalette} title="Commands (Ctrl K)">
            <span aria-hidden="true">⌕</span>
            <span class="unseen">Commands</span> <kbd>Ctrl K</kbd>
          </button>
          <button type="button" class="primary" onClick={onNew}>
            New run
          </button>
        </>
      )}
      {onSignOut !== undefined && (
        <button type="button" class="quiet hideable" onClick={onSignOut}>
          Sign out
        </button>
      )}
      <ThemeButton {...theme} />
    </header>
  );
}
