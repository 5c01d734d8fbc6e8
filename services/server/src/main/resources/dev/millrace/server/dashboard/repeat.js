// Asks again and again. While the server is away it asks less and less often, says so, and goes on by
// itself when the server is back.

const MOST_MS = 8_000;

/**
 * Works now and then every so often, until the function that it returns is called. What went wrong is
 * said with say(text); quiet() takes it back.
 */
export function repeat(everyMs, work, { say, quiet }) {
  let timer = null;
  let wait = everyMs;
  let gone = false;
  let said = false;

  async function turn() {
    try {
      await work(() => gone);
      if (said && !gone) {
        quiet();
      }
      said = false;
      wait = everyMs;
    } catch (e) {
      wait = Math.min(MOST_MS, wait * 2);
      if (!gone) {
        said = true;
        say(e.status === 401 ? "This server wants an API key." : `${e.message} Trying again in ${wait / 1000} s.`);
      }
    }
    if (!gone) {
      timer = setTimeout(turn, wait);
    }
  }

  turn();
  return () => {
    gone = true;
    clearTimeout(timer);
  };
}
