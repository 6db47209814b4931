// @ts-check
import { defineConfig } from "vitepress";
import { headingSlug, renderForSearch, showBraces } from "../../src/markdown-rules.mjs";
import { NAVIGATION, sidebars } from "../../src/navigation.mjs";

/** A track that forks, as the icon of the site. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#3b82d6" stroke-width="2.5" stroke-linecap="round"><path d="M2 8h12M5 8c3 0 4-5 9-5"/></svg>`;

export default defineConfig({
  lang: "en",
  title: "Switchyard",
  description: "Run any coding agent, in any environment, behind one contract.",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  srcDir: "../.cache/pages",
  outDir: "../dist",
  cacheDir: "../.cache/vitepress",
  cleanUrls: true,
  // Dead links fail the build: that is the default, and stays.
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: headingSlug },
    config: (markdown) => showBraces(markdown.renderer.rules),
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  vite: { logLevel: "warn", build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    nav: NAVIGATION,
    sidebar: sidebars(),
    outline: [2, 3],
    search: { provider: "local", options: { _render: renderForSearch() } },
    socialLinks: [{ icon: "github", link: "https://github.com/switchyard/switchyard" }],
    footer: { message: "Apache-2.0" },
  },
});
