/** Match the word after a switch, such as `no` in `--redirect-https no`. */
const onPattern = /^(yes|true|on)$/i;
const offPattern = /^(no|false|off)$/i;

interface SwitchValues {
  readonly kind: 'valid';
  /** The words without those switches that had a value, and without their values. */
  readonly words: readonly string[];
  readonly switches: Readonly<Record<string, boolean>>;
}

/** A value that is neither yes nor no. */
interface InvalidSwitch {
  readonly kind: 'invalid';
  readonly problem: string;
}

/**
 * Removes switches that have a value from typed words, such as `--redirect-https yes` or
 * `--redirect-https=no`.
 */
export function takeSwitchValues(
  words: readonly string[],
  flags: readonly string[],
): SwitchValues | InvalidSwitch {
  const left: string[] = [];
  const switches: Record<string, boolean> = {};
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return { kind: 'valid', words: [...left, ...words.slice(index)], switches };
    const [, name = '', attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = flags.includes(name) ? parseSwitchValue(attached ?? words[index + 1]) : undefined;
    if (value === undefined && attached !== undefined && flags.includes(name))
      return { kind: 'invalid', problem: `--${name} takes yes or no.` };
    if (value === undefined) left.push(word);
    else {
      switches[name] = value;
      index += attached === undefined ? 1 : 0;
    }
  }
  return { kind: 'valid', words: left, switches };
}

function parseSwitchValue(word: string | undefined): boolean | undefined {
  if (word === undefined) return undefined;
  if (onPattern.test(word)) return true;
  return offPattern.test(word) ? false : undefined;
}
