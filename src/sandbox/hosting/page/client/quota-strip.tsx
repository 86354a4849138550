import type { ApiKey, Call } from './service.ts';
import { useNow } from './use-service.ts';

/** Bars of the strip, each for the same share of the window. */
const barCount = 60;
const barWidth = 10;
const height = 44;
/** Calls that fill a bar's height, unless there are more in one. */
const fullBar = 5;

interface Bar {
  readonly passed: number;
  readonly refused: number;
}

interface Props {
  readonly apiKey: ApiKey;
  /** Newest first. */
  readonly calls: readonly Call[];
  readonly windowMs: number;
  readonly aheadMs: number;
}

/** Shows a key's calls of the last window as they slide out of it, beside the quota. */
export function QuotaStrip({ apiKey, calls, windowMs, aheadMs }: Props) {
  const nowMs = useNow(aheadMs, 250);
  const own = calls.filter(({ key, at }) => key === apiKey.key && at > nowMs - windowMs);
  const used = own.filter(({ is_over_quota }) => !is_over_quota).length;
  const refused = own.length - used;
  const bars = barsOf(own, nowMs, windowMs);
  const tallest = Math.max(fullBar, ...bars.map((bar) => bar.passed + bar.refused));
  const seconds = Math.round(windowMs / 1000);
  const words = `${used} of ${apiKey.quota} calls in the last ${seconds} s${refused > 0 ? `, ${refused} refused with 429` : ''}`;

  return (
    <article className="key">
      <header>
        <h3>
          <code>{apiKey.key}</code>
        </h3>
        <p>
          <b>{used}</b> of {apiKey.quota} in {seconds} s
          {refused > 0 && <span className="refused-count"> · {refused} × 429</span>}
        </p>
      </header>
      <meter
        min={0}
        max={apiKey.quota}
        high={apiKey.quota * 0.8}
        value={used}
        aria-label={`Quota of ${apiKey.key}`}
      >
        {words}
      </meter>
      <svg
        className="strip"
        viewBox={`0 0 ${barCount * barWidth} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {bars.map((bar, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          <StripBar key={index} bar={bar} x={index * barWidth} tallest={tallest} />
        ))}
      </svg>
      <p className="scale" aria-hidden="true">
        <span>{seconds} s ago</span>
        <span>now</span>
      </p>
    </article>
  );
}

function StripBar({ bar, x, tallest }: { readonly bar: Bar; readonly x: number; readonly tallest: number }) {
  const passed = (bar.passed / tallest) * height;
  const refused = (bar.refused / tallest) * height;
  return (
    <>
      <rect className="ground" x={x + 1} y={height - 1} width={barWidth - 2} height={1} />
      <rect className="passed" x={x + 1} y={height - passed} width={barWidth - 2} height={passed} />
      <rect
        className="refused"
        x={x + 1}
        y={height - passed - refused}
        width={barWidth - 2}
        height={refused}
      />
    </>
  );
}

function barsOf(calls: readonly Call[], nowMs: number, windowMs: number): Bar[] {
  const bars = Array.from({ length: barCount }, () => ({ passed: 0, refused: 0 }));
  for (const { at, is_over_quota } of calls) {
    const age = Math.max(0, nowMs - at) / windowMs;
    const bar = bars[barCount - 1 - Math.min(barCount - 1, Math.floor(age * barCount))];
    if (bar) bar[is_over_quota ? 'refused' : 'passed'] += 1;
  }
  return bars;
}
