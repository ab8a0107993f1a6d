// Builds web/dist from web/static: one style sheet, the scripts, the type face
// and the icon, each named by its content, with .br and .gz siblings and a
// manifest from plain to hashed names. Run by `npm run build`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const source = dirname(fileURLToPath(import.meta.url));
const root = join(source, "../..");
const dist = join(root, "web/dist");
const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve("@fontsource-variable/inter/package.json")), "files");

const files = new Map(); // plain name → bytes
const hashed = (name, bytes) => {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const dot = name.lastIndexOf(".");
  return `${name.slice(0, dot)}.${hash}${name.slice(dot)}`;
};

files.set("inter-latin.woff2", readFileSync(join(fonts, "inter-latin-opsz-normal.woff2")));
files.set("inter-latin-ext.woff2", readFileSync(join(fonts, "inter-latin-ext-opsz-normal.woff2")));
files.set("icon.svg", readFileSync(join(source, "icon.svg")));

const work = mkdtempSync(join(tmpdir(), "build-"));
try {
  const out = join(work, "app.css");
  execFileSync(process.execPath, [join(root, "node_modules/@tailwindcss/cli/dist/index.mjs"), "-i", join(source, "css/app.css"), "-o", out, "--minify"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  let css = readFileSync(out, "utf8") + readFileSync(join(source, "css/anchored.css"), "utf8");
  for (const [name, bytes] of files) css = css.replaceAll(`/static/${name}`, `/static/${hashed(name, bytes)}`);
  files.set("app.css", Buffer.from(css));
} finally {
  rmSync(work, { recursive: true, force: true });
}

// theme.js runs before the first paint, so it is a classic script of its own.
const scripts = await build({
  entryPoints: { theme: join(source, "js/theme.js"), app: join(source, "js/app.js"), charts: join(source, "js/charts.js") },
  bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none", write: false, outdir: work,
});
for (const file of scripts.outputFiles) files.set(file.path.split("/").pop(), Buffer.from(file.contents));

mkdirSync(dist, { recursive: true });
for (const old of readdirSync(dist)) if (old !== ".gitkeep") rmSync(join(dist, old));

const manifest = {};
for (const [name, bytes] of [...files].sort()) {
  manifest[name] = hashed(name, bytes);
  writeFileSync(join(dist, manifest[name]), bytes);
  if (name.endsWith(".woff2")) continue; // compressed already
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  const gz = gzipSync(bytes, { level: 9 });
  if (br.length < bytes.length) writeFileSync(join(dist, `${manifest[name]}.br`), br);
  if (gz.length < bytes.length) writeFileSync(join(dist, `${manifest[name]}.gz`), gz);
  console.log(`${name.padEnd(20)} ${bytes.length} B, gzip ${gz.length}, brotli ${br.length}`);
}
writeFileSync(join(dist, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n");
