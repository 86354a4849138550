const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const gap = '·';

/** Draws percentages as a line of text, from 0 to 100 %, so that lines can be compared; `·` where nothing is known. */
export function sparkline(percents: readonly (number | null)[]): string {
  return percents
    .map((percent) => {
      if (percent === null || !Number.isFinite(percent)) return gap;
      const step = Math.floor((percent / 100) * bars.length);
      return bars[Math.min(bars.length - 1, Math.max(0, step))];
    })
    .join('');
}
