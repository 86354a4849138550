import type { Config } from '../../src/config.ts';
import { type CheckLine, createLines } from './check-line.ts';

const { ok, warning, error } = createLines('clock');
const timeoutMs = 10_000;

/** From this difference on, a replica on PostgreSQL accepts no work. */
const maxSkewMs = 30_000;

/** `Date` headers are whole seconds, and the answer takes time. */
const toleratedSkewMs = 3_000;

/** Compares this machine's clock with the `Date` headers of Slack and the hosting service. */
export async function* checkClock(
  { slack, hosting }: Pick<Config, 'slack' | 'hosting'>,
  now: () => number = Date.now,
): AsyncGenerator<CheckLine> {
  for (const [name, url] of [
    ['Slack', slack.apiUrl],
    ['the hosting service', hosting.baseUrl],
  ] as const) {
    const skewMs = await measureSkew(url, now);
    if (skewMs === undefined) {
      yield warning(`${name} didn't say its time. Check that the machine's clock is synchronised.`);
    } else if (Math.abs(skewMs) <= toleratedSkewMs) {
      yield ok(`The clock agrees with that of ${name}.`);
    } else {
      const line = Math.abs(skewMs) > maxSkewMs ? error : warning;
      const seconds = Math.round(Math.abs(skewMs) / 1_000);
      const side = skewMs > 0 ? 'ahead of' : 'behind';
      yield line(`The clock is ${seconds} s ${side} that of ${name}. Synchronise it with NTP.`);
    }
  }
}

async function measureSkew(url: string, now: () => number): Promise<number | undefined> {
  try {
    const sentMs = now();
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) });
    const arrivedMs = now();
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(theirMs) ? undefined : (sentMs + arrivedMs) / 2 - (theirMs + 500);
  } catch {
    return undefined;
  }
}
