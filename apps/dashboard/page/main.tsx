import { render } from "preact";
import { App } from "./app.tsx";

const root = document.querySelector("#dashboard");
if (root !== null) render(<App />, root);
