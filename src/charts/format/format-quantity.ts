import type { Unit } from '../chart-spec.ts';

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

const durationUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' });

const noValue = 'no value';

/**
 * Formats a number with three significant digits: `0.42`, `1,230`, `12.3K`, `2 bn`. Very small and very
 * large numbers get an exponent.
 */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return noValue;
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 0.001 || size >= 1e15) return value.toExponential(1);
  // `B` for billion is replaced, because `4.2B` looks like bytes.
  return (size < 10_000 ? plain : compact).format(value).replace(/B$/, ' bn');
}

/** Formats a percentage: 42 becomes `42%`. Values below 10 get one decimal. */
export function formatPercent(percent: number): string {
  if (!Number.isFinite(percent)) return noValue;
  const size = Math.abs(percent);
  if (size > 0 && size < 0.05) return percent < 0 ? '> -0.1%' : '< 0.1%';
  if (size >= 1e6) return `${formatNumber(percent)}%`;
  const digits = size < 9.95 ? 1 : 0;
  return `${Number(percent.toFixed(digits))}%`;
}

/** Formats bytes in the largest binary unit that fits: `512 MiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return noValue;
  let scaled = bytes;
  let power = 0;
  // A value that rounds to 1024 becomes 1 of the next unit.
  while (Math.abs(scaled) >= 1023.5 && power < byteUnits.length - 1) {
    scaled /= 1024;
    power += 1;
  }
  const size = Math.abs(scaled);
  const digits = power === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const text = size < 10_000 ? String(Number(scaled.toFixed(digits)) + 0) : formatNumber(scaled);
  return `${text} ${byteUnits[power]}`;
}

/** Formats bytes per second: `1.5 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return Number.isFinite(bytesPerSecond) ? `${formatBytes(bytesPerSecond)}/s` : noValue;
}

/** Formats a duration in its two largest units: `2 d 3 h`, `5 min`, `0 s`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return noValue;
  const seconds = Math.round(Math.abs(durationMs) / 1000);
  const first = durationUnits.findIndex(([, size]) => seconds >= size);
  if (first === -1) return '0 s';
  let remaining = seconds;
  const parts: string[] = [];
  for (const [name, size] of durationUnits.slice(first, first + 2)) {
    const count = Math.floor(remaining / size);
    remaining -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return `${durationMs < 0 ? '-' : ''}${parts.join(' ')}`;
}

const formatByUnit: Readonly<Record<Unit, (value: number) => string>> = {
  percent: formatPercent,
  bytes: formatBytes,
  bytesPerSecond: formatRate,
  number: formatNumber,
};

/** Formats a value with its unit. A non-finite value becomes `no value`. */
export function formatQuantity(value: number, unit: Unit): string {
  return formatByUnit[unit](value);
}
