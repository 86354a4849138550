interface FoundState {
  readonly path: readonly string[];
  readonly value: string;
}

const onPattern = /^(running|on|online|up|started|powered[ _-]?on)$/i;
const offPattern = /^(stopped|off|offline|down|halted|shut[ _-]?(off|down)|powered[ _-]?off)$/i;

/**
 * Formats two states of a VPS that can't both be true: `running (status) but off (power_state)`.
 * Returns undefined if there are none.
 */
export function formatContradiction(states: readonly FoundState[]): string | undefined {
  const found = [onPattern, offPattern].map((pattern) =>
    states.find(({ value }) => pattern.test(value.trim())),
  );
  const [first, other] = states.filter((state) => found.includes(state));
  return first && other && `${formatState(first)} but ${formatState(other)}`;
}

function formatState({ path, value }: FoundState): string {
  return `${value.trim()} (${path.join('.')})`;
}
