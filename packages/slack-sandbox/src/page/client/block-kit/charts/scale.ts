/** The range and ticks of an axis. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Returns about `count` round ticks. They cover zero and all values. */
export function createScale(values: readonly number[], count = 5): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const rough = span / (count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step) || 1];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    roundOffFloatError((first + index) * step),
  );
  return { ticks, min: roundOffFloatError(first * step), max: roundOffFloatError(last * step) };
}

/** Removes floating-point noise. */
function roundOffFloatError(value: number): number {
  return Number(value.toPrecision(12));
}

/** Formats a number compactly: `1,234`, `1.2M`. */
export function formatCompact(value: number): string {
  const notation = Math.abs(value) >= 1e5 ? 'compact' : 'standard';
  return new Intl.NumberFormat('en', { notation, maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 }).format(
    value,
  );
}
