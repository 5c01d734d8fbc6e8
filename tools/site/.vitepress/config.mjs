// The documents of the repository as a site. The documents stay as GitHub shows them; contents.txt says in what order.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const root = process.env.SITE_ROOT; // of the repository
const javadoc = process.env.SITE_JAVADOC; // its directory, if it is part of the site
const site = "tools/site";
const read = (path) => readFileSync(join(root, path), "utf8");
const linkedFiles = new Set();

/** The page of a document, both as Markdown files. */
const page = (path) =>
  path === "README.md"
    ? "index.md"
    : path === `${site}/decisions.md`
      ? "design/adr/index.md"
      : path
          .replace(/^docs\/README/, "documents")
          .replace(/^docs\//, "")
          .replace(/\/README\.md$/, ".md");

/** The link of an indented line of contents.txt: a document and its words, if they are not the document's title. */
function entry(line) {
  const [, path, words] = /^(\S+) ?(.*)$/.exec(line);
  const [, title] = /^# (?:ADR )?(.+)$/m.exec(read(path));
  return { text: words || title, link: `/${page(path).replace(/(index)?\.md$/, "")}` };
}

function chapter(text) {
  const [title, ...lines] = text.split(/\n\s*/);
  const documents = lines.flatMap((line) => {
    const directory = line.replace(/\*\.md$/, "");
    return directory === line
      ? [line]
      : readdirSync(join(root, directory)).sort().map((name) => directory + name);
  });
  return { text: title, items: documents.map(entry) };
}

/** Where a link of a document leads on the site, which has copies of the files that are no documents. */
function target(document, href) {
  if (/^(#|[a-z][a-z0-9+.-]*:)/.test(href)) return href;
  const [, link, anchor] = /^([^#]*)(.*)$/.exec(href);
  const path = posix.join(dirname(document), link);
  if (path.endsWith(".md")) return `/${page(path)}${anchor}`; // VitePress looks whether the page is there
  if (!existsSync(join(root, path))) throw new Error(`${document}: '${href}' leads nowhere`);
  if (statSync(join(root, path)).isDirectory()) return `/${path.replace(/^docs\//, "")}/`;
  linkedFiles.add(path);
  return `/${copy(path)}`;
}

/** As text, so that servers let browsers show it. */
const copy = (path) => `files/${path}.txt`;

function asOnGitHub(md) {
  const path = ({ realPath, path }) => posix.relative(root, realPath ?? path);
  md.core.ruler.push("repository-links", ({ tokens, env }) =>
    tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "link_open")
      .forEach((link) => link.attrSet("href", target(path(env), link.attrGet("href")))),
  );
  const image = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const source = tokens[index].attrGet("src");
    return source.endsWith(".svg")
      ? diagram(tokens[index].content, read(posix.join(dirname(path(env)), source)))
      : image(tokens, index, options, env, self);
  };
  // Indented code scrolls as fenced code does.
  md.renderer.rules.code_block = (...all) => md.renderer.rules.fence(...all);
}

/** A diagram is a part of its page, which gives it the colours: its own are for when it stands alone. */
const diagram = (label, svg) =>
  `<span class="diagram" tabindex="0" role="region" aria-label="${label}">${svg.replace(/<style>.*?<\/style>\s*/s, "")}</span>`;

/** As GitHub makes them, so that links work there and here. */
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");

/** Node.js finds Vue beside the built pages; beside the documents there is none. */
const vue = {
  name: "vue-beside-the-pages",
  enforce: "pre",
  resolveId: (id, importer, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : null),
};

const [, version] = /<version>(.*?)<\/version>/.exec(read("pom.xml"));
const javadocLink = { text: "Javadoc", link: "/apidocs/index.html", target: "_self" };

export default {
  title: "Millrace",
  description: "A distributed rate limiter and quota engine for the JVM.",
  srcDir: root,
  srcExclude: [
    "{integrations,libraries,services,verification}/**",
    "tools/!(site)/**",
    `${site}/target/**`,
    "target/**",
    "examples/*/{src,target}/**",
  ],
  rewrites: page,
  markdown: {
    anchor: { slugify: anchor },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: asOnGitHub,
  },
  vite: { publicDir: join(root, site, "public"), plugins: [vue] },
  themeConfig: {
    logo: "/icon.svg",
    nav: [...(javadoc ? [javadocLink] : []), { text: version, link: "/CHANGELOG" }],
    sidebar: read(`${site}/contents.txt`).trim().split(/\n(?=\S)/).map(chapter),
    search: { provider: "local" },
  },
  buildEnd({ outDir }) {
    if (javadoc) cpSync(javadoc, join(outDir, "apidocs"), { recursive: true });
    for (const path of linkedFiles) {
      mkdirSync(dirname(join(outDir, copy(path))), { recursive: true });
      cpSync(join(root, path), join(outDir, copy(path)));
    }
  },
};
