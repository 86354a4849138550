const minuteMs = 60_000;

/** What a round of the quota takes beyond its minute, and a report beyond its calls: to be drawn, and brought to Slack. */
const roundMarginMs = 1_000;
const makingMs = 30_000;

/** Estimates how long a report takes that needs so many calls, where the background lane lets `perMinute` of them leave. */
export function collectingMs(calls: number, perMinute: number): number {
  return Math.ceil(calls / perMinute) * (minuteMs + roundMarginMs) + makingMs;
}

/** Gives how many calls a minute a report needs that comes every so many ms. */
export function callsPerMinute(calls: number, everyMs: number): number {
  return (calls * minuteMs) / everyMs;
}
