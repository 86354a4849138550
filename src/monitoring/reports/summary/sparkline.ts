const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const gap = '·';

/** Draws percentages from 0 to 100% as a line of characters. `·` marks a gap. */
export function formatSparkline(percents: readonly (number | null)[]): string {
  return percents
    .map((percent) => {
      if (percent === null || !Number.isFinite(percent)) return gap;
      const step = Math.floor((percent / 100) * bars.length);
      return bars[Math.min(bars.length - 1, Math.max(0, step))];
    })
    .join('');
}
