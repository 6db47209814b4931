import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

const THEME_KEY = "switchyard.theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** Button that switches between the system's colours, light and dark ones. The choice is stored in the browser. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    localStorage.setItem(THEME_KEY, theme);
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setTheme(next)}
      aria-label={`Colours: ${theme}. Change to ${next}.`}
    >
      {theme === "system" ? "◐" : theme === "light" ? "☀" : "☾"} <span aria-hidden="true">{theme}</span>
    </button>
  );
}
