// @ts-check
// The theme without its fonts: pages use those of the system, and load nothing from elsewhere.
import { inBrowser } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { nextTick } from "vue";
import "./style.css";

/** Makes the content of the home page a landmark, which the theme does only for documents. */
async function markHome() {
  await nextTick();
  document.querySelector("#VPContent.is-home")?.setAttribute("role", "main");
}

/** @type {import("vitepress").Theme} */
export default {
  extends: theme,
  enhanceApp({ router }) {
    if (!inBrowser) return;
    router.onAfterRouteChange = markHome;
    window.addEventListener("load", markHome);
  },
};
