// Numbers and times as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["min", 60_000], ["sec", 1_000]];

export const number = (value) => whole.format(value);
export const compact = (value) => short.format(value);

/** Millitokens as tokens. */
export const tokens = (milli) => fine.format(milli / 1000);

/** A balance in whole tokens, rounded down: never more than there are. */
export const balance = (milli) => whole.format(Math.floor(milli / 1000));

export const ms = (value) => `${value >= 100 ? whole.format(value) : value.toFixed(1)} ms`;

/** 60000 is "min", 7200000 is "2hour": the longest unit that divides it. */
export function period(periodMs) {
  for (const [name, length] of UNITS) {
    if (periodMs % length === 0) {
      const count = periodMs / length;
      return count === 1 ? name : `${count}${name}`;
    }
  }
  return `${periodMs}ms`;
}

/** 60000 is [1, "min"]; null when no unit divides it. */
export function periodParts(periodMs) {
  const unit = UNITS.find(([, length]) => periodMs % length === 0);
  return unit ? [periodMs / unit[1], unit[0]] : null;
}

/** The ISO 8601 duration of so many units. */
export function duration(count, unit) {
  return `PT${(count * UNITS.find(([name]) => name === unit)[1]) / 1000}S`;
}

/** "100 / min, at most 200 at once". */
export function limitText(limit) {
  const rate = `${tokens(limit.refillMilli)} / ${period(limit.periodMs)}`;
  const burst = limit.burstMilli === limit.refillMilli ? "" : `, at most ${tokens(limit.burstMilli)} at once`;
  return rate + burst + (limit.soft ? ", soft" : "");
}

/** All limits in one line. */
export const limitsText = (limits) =>
  limits.length === 0 ? "none" : limits.map((limit) => `${limit.name} ${limitText(limit)}`).join("; ");

export const time = (iso) => new Date(iso).toISOString().replace("T", " ").slice(0, 19);

/** "12 s", "3 min", "2 h". */
export function age(ageMs) {
  if (ageMs < 120_000) {
    return `${Math.round(ageMs / 1000)} s`;
  }
  return ageMs < 7_200_000 ? `${Math.round(ageMs / 60_000)} min` : `${Math.round(ageMs / 3_600_000)} h`;
}

export const LEVELS = {
  call: "the call",
  "entity+resource": "this tenant and resource",
  entity: "this tenant",
  resource: "the resource",
  system: "the namespace",
};

/** Where limits come from, in words. */
export const levelText = (level) => (level === null ? "nowhere" : (LEVELS[level] ?? level));
