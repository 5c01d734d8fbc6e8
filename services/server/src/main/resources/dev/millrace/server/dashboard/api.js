// Talks to the server that the page came from, and to nobody else.

const KEY = "millrace.key";
const TIMEOUT_MS = 15_000;

/** An answer that is not what was hoped for, with the problem that the server tells. */
export class ApiError extends Error {
  constructor(answer) {
    const problem = answer.body ?? {};
    super(problem.detail ?? problem.title ?? `The server answered ${answer.status}.`);
    this.answer = answer;
    this.status = answer.status;
  }
}

/** The server did not answer. */
export class Unreachable extends Error {
  constructor(cause) {
    super("The server does not answer.", { cause });
    this.status = 0;
  }
}

/** The key lives as long as the tab. */
export const key = {
  get: () => sessionStorage.getItem(KEY) ?? "",
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

/** Sends a request and answers {status, headers, body, ms}, whatever the status. */
export async function send(method, path, body) {
  const headers = { accept: "application/json" };
  if (key.get()) {
    headers.authorization = `Bearer ${key.get()}`;
  }
  if (body !== undefined) {
    headers["content-type"] = "application/json";
  }
  const started = performance.now();
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
      credentials: "omit",
      cache: "no-store",
    });
    text = await response.text();
  } catch (e) {
    throw new Unreachable(e);
  }
  if (response.status === 401) {
    document.dispatchEvent(new CustomEvent("millrace:unauthorised"));
  }
  return { status: response.status, headers: response.headers, body: parse(text), ms: performance.now() - started };
}

function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

async function need(method, path, body) {
  const answer = await send(method, path, body);
  if (answer.status >= 400) {
    throw new ApiError(answer);
  }
  return answer.body;
}

export const get = (path) => need("GET", path);
export const put = (path, body) => need("PUT", path, body);
export const post = (path, body) => need("POST", path, body);
export const remove = (path) => need("DELETE", path);

/** What is there, or null when the server says that it is not. */
export async function find(path) {
  try {
    return await get(path);
  } catch (e) {
    if (e instanceof ApiError && e.status === 404) {
      return null;
    }
    throw e;
  }
}

/** at("default", "entities", "key-42"): a path below a namespace, every part encoded. */
export const at = (namespace, ...parts) =>
  ["/v1/namespaces", encodeURIComponent(namespace), ...parts.map(encodeURIComponent)].join("/");

/** The same with a query; what is empty is left out. */
export function withQuery(path, query) {
  const set = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}
