import type { JSX } from "preact";
import type { ThemeState } from "./use-theme.ts";

/** Button that switches between the system's colours, light and dark ones. */
export function ThemeButton({ theme, next, change }: ThemeState): JSX.Element {
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Colours: ${theme}. Change to ${next}.`}>
      {theme === "system" ? "◐" : theme === "light" ? "☀" : "☾"}
    </button>
  );
}
