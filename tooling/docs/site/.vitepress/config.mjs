// @ts-check
import { defineConfig } from "vitepress";
import { headingSlug, showBraces } from "../../src/markdown-rules.mjs";
import { NAVIGATION, sidebars } from "../../src/navigation.mjs";

export default defineConfig({
  lang: "en",
  title: "Switchyard",
  description: "Run any coding agent, in any environment, behind one contract.",
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
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/switchyard/switchyard" }],
    footer: { message: "Apache-2.0" },
  },
});
