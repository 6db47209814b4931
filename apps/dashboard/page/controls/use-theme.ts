import { useEffect, useState } from "preact/hooks";

const THEME_KEY = "switchyard.theme";
const THEMES = ["system", "light", "dark"] as const;
/** Colours of the page. */
type Theme = (typeof THEMES)[number];

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** Theme of the page, with the function that changes to the next one. The choice is stored in the browser. */
export interface ThemeState {
  readonly theme: Theme;
  readonly next: Theme;
  readonly change: () => void;
}

/** Applies the stored theme. */
export function useTheme(): ThemeState {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    localStorage.setItem(THEME_KEY, theme);
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return { theme, next, change: () => setTheme(next) };
}
