import type { ApiKey, CallSummary } from './control-api.ts';
import { useNow } from './use-service.ts';

/** Number of bars in the strip. Each stands for an equal share of the window. */
const barCount = 60;
const barWidth = 10;
const height = 44;
/** Number of calls for a full-height bar, unless a bar in the strip has more. */
const callsPerFullBar = 5;

interface Bar {
  readonly passed: number;
  readonly refused: number;
}

interface Props {
  readonly apiKey: ApiKey;
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  readonly windowMs: number;
  readonly clockOffsetMs: number;
}

/** Shows a key's calls in the current window beside its quota. Calls disappear when they leave the window. */
export function QuotaStrip({ apiKey, calls, windowMs, clockOffsetMs }: Props) {
  const nowMs = useNow(clockOffsetMs, 250);
  const own = calls.filter(({ key, at }) => key === apiKey.key && at > nowMs - windowMs);
  const used = own.filter(({ is_over_quota }) => !is_over_quota).length;
  const refused = own.length - used;
  const bars = buildBars(own, nowMs, windowMs);
  const tallest = Math.max(callsPerFullBar, ...bars.map((bar) => bar.passed + bar.refused));
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
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

function buildBars(calls: readonly CallSummary[], nowMs: number, windowMs: number): Bar[] {
  const bars = Array.from({ length: barCount }, () => ({ passed: 0, refused: 0 }));
  for (const { at, is_over_quota } of calls) {
    const age = Math.max(0, nowMs - at) / windowMs;
    const bar = bars[barCount - 1 - Math.min(barCount - 1, Math.floor(age * barCount))];
    if (bar) bar[is_over_quota ? 'refused' : 'passed'] += 1;
  }
  return bars;
}
