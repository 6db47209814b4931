import { parseArgs } from "node:util";

const HELP = `Usage: resize [options] <image>

  --width <pixels>   width of the result (default: 800)
  --quality <share>  quality of JPEG files, 1 to 100 (default: 82)
  --format <name>    jpeg, png or webp (default: the format of the image)
  --keep-metadata    keep date, place and camera`;

const options = {
  width: { type: "string", default: "800" },
  quality: { type: "string", default: "82" },
  format: { type: "string" },
  "keep-metadata": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};
const { values } = parseArgs({ options, allowPositionals: true });
console.log(values.help ? HELP : JSON.stringify(values));
